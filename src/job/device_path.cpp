// Rank 0 keeps the mark for all ranks.
#include "job/device_path.hpp"

#include <fmt/format.h>

#include "file/kept_files.hpp"
#include "file/whole_file.hpp"
#include "job/direct_messages.hpp"
#include "machine/name.hpp"
#include "mpi/library_name.hpp"

namespace weft {
namespace {

constexpr const char* testing = "testing";
constexpr const char* works = "works";
constexpr std::size_t longest_mark = 4096;

/// MPI's claim, if it is the same on all ranks.
DeviceSupport support_on_all_ranks(const Communicator& communicator, const Device& device) {
  const DeviceSupport own = device.mpi_support();
  int claimed = own.claimed;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &claimed, 1, MPI_INT, MPI_MIN, communicator.get()),
            "MPI_Allreduce");
  if (claimed != 0 || !own.claimed) return own;
  return {false, own.said + ", but not on all ranks"};
}

PathChoice tested(const Job& job, Device& device, const std::string& name,
                  std::span<const std::span<std::byte>> buffers) {
  const bool keeps = job.communicator.rank() == 0;
  const PathMark mark(name);
  const std::string refusal =
      broadcast_text(job.communicator.get(), keeps ? mark.refusal().value_or("") : "");
  if (!refusal.empty()) return {DevicePath::staged, refusal};
  if (keeps) mark.begin();
  std::string failure;
  try {
    test_direct_messages(job.communicator, job.topology, device, buffers);
  } catch (const Error& error) {  // the same on all ranks
    failure = error.what();
  }
  if (keeps) mark.end(failure.empty() ? works : failure);
  if (failure.empty()) return {DevicePath::direct, "a test of this plan's buffers confirms it"};
  if (keeps)
    complain_once(
        fmt::format("MPI says that it takes addresses of device={}, but {}; blocks are "
                    "staged through the host",
                    name, failure));
  return {DevicePath::staged, "a test of this plan's buffers found that " + failure};
}

}  // namespace

PathMark::PathMark(const std::string& device)
    : subject_(fmt::format("direct messages of device={} on {} with {}", device, machine_name(),
                           mpi_name())) {
  if (const auto folder = wisdom_path())
    file_ = *folder / fmt::format("device-path-{}.txt", hash_of(subject_));
}

/// Empty if there is none.
std::string PathMark::state() const {
  try {
    const std::string text = file_.empty() ? "" : read_file(file_, longest_mark).value_or("");
    const std::string end = ": " + subject_ + "\n";
    return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : "";
  } catch (const Error& error) {
    complain_once(fmt::format("{}: {}; it is ignored", file_.string(), error.what()));
    return "";
  }
}

void PathMark::write(const std::string& state) const {
  if (file_.empty()) return;
  try {
    replace_file(file_, fmt::format("{}: {}\n", state, subject_));
  } catch (const Error& error) {
    complain_once(fmt::format("{}: {}", file_.string(), error.what()));
  }
}

std::optional<std::string> PathMark::refusal() const {
  if (state() != testing) return std::nullopt;
  return fmt::format(
      "an earlier test of it has not ended: it crashed, or runs in another job; remove {} to test "
      "again",
      file_.string());
}

/// The mark `works` stays, so that jobs that start meanwhile find no unfinished test.
void PathMark::begin() const {
  if (state() != works) write(testing);
}

void PathMark::end(const std::string& result) const {
  if (state() != result) write(result);
}

PathChoice choose_device_path(const Job& job, Device& device, const Options& options,
                              std::span<const std::span<std::byte>> buffers) {
  if (options.device_path != DevicePath::automatic)
    return {options.device_path, "as the options say"};
  const DeviceSupport support = support_on_all_ranks(job.communicator, device);
  if (!support.claimed) return {DevicePath::staged, support.said};
  PathChoice choice = tested(job, device, options.device, buffers);
  choice.reason = fmt::format("{}; {}", support.said, choice.reason);
  return choice;
}

}  // namespace weft
