// Whether MPI is given addresses of a device's memory: what MPI says is asked, tested, and the
// result remembered, since the test may end in a crash.
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

/// How blocks travel, and why; no reason where nothing was to be decided.
struct PathChoice {
  DevicePath path = DevicePath::staged;
  std::string reason = {};
};

/// What an earlier test of direct messages came to, in a file beside wisdom: `testing` while it
/// runs, which is what a crash leaves, and then its result. Files that cannot be used are
/// complained about, and do no harm else.
class PathMark {
 public:
  /// For a device of that name, this machine and this MPI.
  explicit PathMark(const std::string& device);

  /// Why no test should be made: the earlier one has not ended.
  std::optional<std::string> refusal() const;
  /// A test begins, which may crash.
  void begin() const;
  /// It has ended: "works", or what was wrong.
  void end(const std::string& result) const;

 private:
  void write(const std::string& state) const;
  std::string state() const;

  std::string subject_;
  std::filesystem::path file_;  // empty: nothing is kept
};

/// The path that a plan asked for, or for `automatic` the one that a test finds; the same on all
/// ranks. The contents of the buffers, which all ranks have the same number of, are lost.
/// Collective.
PathChoice choose_device_path(const Job& job, Device& device, const Options& options,
                              std::span<const std::span<std::byte>> buffers);

}  // namespace weft
