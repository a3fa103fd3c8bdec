// The resources of a plan's programs: communicators, private memory and windows. Both directions
// share them, since they never run at once.
#pragma once

#include <memory>
#include <vector>

#include "call/call_watch.hpp"
#include "exchange/shared_slot.hpp"
#include "job/device_path.hpp"
#include "job/job.hpp"
#include "plan/program.hpp"

namespace weft {

class Resources {
 public:
  /// Collective: the communicators of the exchanges.
  Resources(const Job& job, const Routes& routes, const Options& options);

  /// Collective: allocates memory and windows that are large enough for each of these programs, for
  /// every field.
  void allocate(const std::vector<const MemoryPlan*>& plans);
  /// Not collective: programs do not run afterwards.
  void free_arenas() { arenas_.clear(); }
  /// Collective: decides how MPI moves blocks. Called after `allocate`, before programs are made.
  void settle_device_path();
  /// Collective: a new window. Throws NoSharedMemory on all ranks if any node has too little.
  std::shared_ptr<SharedSlot> make_slot(std::size_t bytes, SharedSlot::FirstUse first);
  /// The host's memory for blocks on the device that MPI cannot reach; null on the host.
  std::unique_ptr<HostMirror> mirror_of(
      const Memory& arena, const std::vector<std::shared_ptr<SharedSlot>>& windows) const;
  /// Collective: the first field's window of that number if it is large enough on all ranks,
  /// otherwise a new one.
  std::shared_ptr<SharedSlot> window_for(std::size_t number, std::size_t bytes);

  /// For programs of one direction: backward has the exchanges of forward in reverse.
  ProgramContext context(Direction direction, int fields) const;
  /// Collective. For a program that goes to the spectrum and back again by `exchanges` exchanges.
  /// The way back has the groups of the way there in reverse, but its own communicators. Each
  /// exchange has its own queue of calls, so on one communicator the order of calls could differ
  /// between ranks.
  ProgramContext round_trip_context(Direction there, std::size_t exchanges) const;

  /// Collective: if the work fails on one rank, throws on all.
  void agree(const std::function<void()>& work) const { weft::agree(job_.communicator, work); }

  const Job& job() const { return job_; }
  Device& device() const { return *device_; }
  std::shared_ptr<Device> share_device() const { return device_; }
  MemorySpace& memory() const { return device_->memory(); }
  CallWatch& watch() { return watch_; }
  const CallWatch& watch() const { return watch_; }
  std::size_t arena_bytes() const { return arenas_.front().size(); }
  /// Bytes of the memory and windows of all fields, and of their mirrors.
  std::size_t bytes() const;
  /// For people: how MPI moves blocks, if there was a choice, and how much of this rank's windows
  /// lies in huge pages.
  std::string describe() const;
  bool owns(const std::shared_ptr<SharedSlot>& window) const;

 private:
  void make_groups(const Routes& routes);
  void join_messages(const Routes& routes);
  void add_leaders(std::vector<GroupCommunicators>& fields, const std::vector<int>& ranks) const;

  Job job_;
  Options options_;
  bool may_be_direct_;
  std::string device_name_;  // this rank's; options_ may leave its number open
  Caches caches_;            // for passes: those of the host's cores hold their tiles in any case
  std::shared_ptr<Device> device_;
  PathChoice device_path_;
  // By exchange of forward, and field; none for methods that send no messages. MPI wants collective
  // calls on one communicator in the same order everywhere, and fields overtake each other.
  std::vector<std::vector<GroupCommunicators>> groups_;
  std::vector<Memory> arenas_;                                     // by field
  std::vector<std::vector<std::shared_ptr<SharedSlot>>> windows_;  // by field and number
  std::vector<std::unique_ptr<HostMirror>> mirrors_;               // by field; none on the host
  // By field, if a method needs them, for the same reason as groups_. Not by exchange, because the
  // exchanges of a field follow each other in the same order on all ranks.
  std::vector<DeviceMessages*> messages_;  // the device's
  CallWatch watch_;
};

}  // namespace weft
