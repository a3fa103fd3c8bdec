// Decides whether MPI gets addresses of a device's memory. MPI's own statement is tested, and the
// result is stored, since the test may end in a crash.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <weft/options.hpp>

#include "device/device.hpp"
#include "job/job.hpp"

namespace weft {

/// How blocks travel, and why; the reason is empty if there was no choice.
struct PathChoice {
  DevicePath path = DevicePath::staged;
  std::string reason = {};
};

/// The result of an earlier test of direct messages, in a file beside wisdom. The file says
/// `testing` while the test runs, also after a crash, and then its result. Files that cannot be
/// used cause a complaint and nothing else.
class PathMark {
 public:
  /// For a device of that name, this machine and this MPI.
  explicit PathMark(const std::string& device);

  /// Why no test should be made: the earlier test has not ended.
  std::optional<std::string> refusal() const;
  /// A test begins, which may crash.
  void begin() const;
  /// The test has ended; `result`: "works", or the error.
  void end(const std::string& result) const;

 private:
  void write(const std::string& state) const;
  std::string state() const;

  std::string subject_;
  std::filesystem::path file_;  // empty: nothing is kept
};

/// The path that a plan asks for, or for `automatic` the path that a test finds; the same on all
/// ranks. All ranks give the same number of buffers, whose contents are lost. Collective.
PathChoice choose_device_path(const Job& job, Device& device, const Options& options,
                              std::span<const std::span<std::byte>> buffers);

}  // namespace weft
