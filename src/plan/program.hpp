// A route bound to memory, engines and communicators, ready to run.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "exchange/exchange.hpp"
#include "pass/pass.hpp"
#include "plan/memory_plan.hpp"
#include "plan/route.hpp"
#include "plan/schedule.hpp"
#include "view/block_sums.hpp"

namespace weft {

/// A route as one of its programs runs it: with other methods, or delivering into the caller's
/// array.
struct ProgramShape {
  Route route;
  Schedule together = {};  ///< of all fields, if there are several
  Schedule alone = {};     ///< of any single field
  Schedule in_place = {};  ///< of any single field whose result overwrites its input
  const Schedule& of_all_fields() const { return together.empty() ? alone : together; }
  /// The last exchange fills the caller's own array, in a window.
  bool delivers = false;
  /// That array is also the window of earlier exchanges. False where another program of the plan
  /// needs windows for all exchanges anyway.
  bool saves_windows = false;
  /// The last exchange already delivers the result, so the last pass is omitted.
  bool last_pass_idle = false;
  /// The exchange whose received blocks are read repeatedly, until the end; -1 if there is none.
  int held = -1;
};

/// The route as it is; `fields` in flight.
ProgramShape shape_program(const Route& route, int fields);
/// The last exchange delivers into the caller's array if it can; see can_deliver.
ProgramShape shape_delivery(const Route& route);
/// Delivers if the options allow only the plan's own arrays, and if the last exchange can deliver.
ProgramShape shape_for(const Route& route, const Options& options);
/// A round trip, whose fused stage may run repeatedly on the same received blocks.
ProgramShape shape_round_trip(const Route& route);
/// Every exchange replaced by this rank's own memory.
ProgramShape shape_without_communication(const Route& route);

/// True if peers may scatter the last exchange directly into the result's array.
bool can_deliver(const Route& route);
/// Whether delivery is also faster than a window. It is slower if the array is large and the
/// strides of the last pass's lines map to a few cache sets. Padded windows avoid these strides.
bool delivery_pays(const Route& route, const Caches& caches);

/// One rank's part of a program. The shape is the same on all ranks; ranks in one process share it.
struct ProgramPlan {
  std::shared_ptr<const ProgramShape> shape;
  int rank = 0;
  MemoryPlan memory;
};

ProgramPlan plan_program(std::shared_ptr<const ProgramShape> shape, int rank);
ProgramPlan plan_program(ProgramShape shape, int rank);

/// The memory of one field of a program.
struct FieldMemory {
  std::byte* arena = nullptr;
  std::vector<SharedSlot*> windows;    ///< by MemoryPlan::Place::window
  SharedSlot* target = nullptr;        ///< the caller's array, for programs that deliver
  HostMirror* mirror = nullptr;        ///< of the first two, if they lie on a device
  DeviceMessages* messages = nullptr;  ///< see ExchangeContext
};

struct ProgramContext {
  const Caches* caches = nullptr;
  Options options;
  std::shared_ptr<const WavenumberTable> wavenumbers;  ///< for round trips
  /// The communicators of exchange e and field f; empty if the program does not communicate.
  std::vector<std::vector<GroupCommunicators>> communicators;
  std::vector<FieldMemory> fields;
  Device* device = &host_device();
  /// For tests: one world per field and exchange.
  std::vector<std::vector<LoopbackWorld*>> loopback;
  /// Runs `work`; if it fails on one rank, throws on all, so that objects made collectively are
  /// also destroyed collectively. Without other ranks it just runs `work`.
  std::function<void(const std::function<void()>& work)> agree = [](const auto& work) { work(); };
};

/// Passes and exchanges of every field, and the order of their actions.
class Program {
 public:
  Program(ProgramPlan plan, const ProgramContext& context);

  /// Binds a field's arrays (this rank's parts), and the factor by which the result is multiplied.
  void bind(int field, const void* in, void* out, double scale = 1);
  /// Says before a field runs whether other work may happen while its blocks are in flight.
  void expect_overlap(int field, bool overlapped);
  /// Sets the function that the fused pass of a round trip applies to the spectrum; it must live
  /// until the next one is bound.
  void bind_function(const RawLineFunction* function);
  /// Performs one action; false if other ranks are not ready for it: the caller retries.
  /// `poll` is called between the tiles of a pass.
  bool perform(const Action& action, const std::function<void()>& poll);
  /// For a round trip to several outputs: whether the run for one of them includes the action. The
  /// actions before the fused pass run for the first output only. The data that the fused pass
  /// reads are released after the last output.
  bool repeats(const Action& action, bool is_first, bool is_last) const;
  /// See Exchange::leave.
  bool leave();
  /// Progresses the exchanges in flight.
  void test();
  /// Whether `test` has any effect on this rank.
  bool needs_tests() const;

  /// The schedule of all fields.
  const Schedule& schedule() const { return shape_->of_all_fields(); }
  /// The schedule of one field, whose result may overwrite its input.
  const Schedule& alone(bool in_place) const { return in_place ? shape_->in_place : shape_->alone; }
  const Route& route() const { return shape_->route; }
  const MemoryPlan& memory() const { return plan_.memory; }
  /// Whether the program is a single pass that cannot read and write the same array.
  bool needs_staging_in_place() const;
  std::size_t tile_bytes() const;
  std::size_t traffic_bytes() const;
  std::string describe_pass(int stage) const;
  /// The sums of a field's passes, with Options::verify; else null.
  const PassSums* sums(int field, int stage) const;
  /// Sums the result that peers have delivered, because no pass reads it.
  void sum_delivered(int field);
  int rank() const { return plan_.rank; }

 private:
  struct Field {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::vector<std::unique_ptr<Pass>> passes;    // null for an idle last pass
    std::vector<std::unique_ptr<PassSums>> sums;  // by pass; empty unless verified
  };

  void make_exchanges(Field& field, int number, const ProgramContext& context);
  void make_sums(Field& field, const ProgramContext& context);
  void make_pass(Field& field, int stage, const ProgramContext& context);
  static void bind_result_array(Field& field, std::byte* array);

  ProgramPlan plan_;
  const ProgramShape* shape_;
  std::vector<Field> fields_;
  bool may_block_ = true;  ///< exchanges may block while nothing else is in flight
};

}  // namespace weft
