// The file that a command is making: it appears under its name only when it is complete, which
// costs the room of a second copy while it is written.
#pragma once

#include <mpi.h>

#include <string>
#include <weft/axes.hpp>

namespace weft::command {

/// A file in the making beside `target`, which takes the target's name only when it is complete, so
/// that a run that fails leaves the target as it was and nothing else. Collective. The file is
/// removed when this object goes, and on SIGINT, SIGTERM and SIGHUP, unless it was published.
class TemporaryFile {
 public:
  /// Creates the file; throws if the target cannot be written, or surely lacks space for `bytes`.
  /// Where the target is "" there is no file, and nothing to publish.
  TemporaryFile(MPI_Comm communicator, const std::string& target, Index bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  /// Renames the file, which must be closed, to the target's name.
  void publish();
  /// Writes rank 0's text into the file, and publishes it.
  void publish_text(const std::string& text);

 private:
  MPI_Comm communicator_;
  std::string target_;
  std::string path_;
  bool published_ = false;
};

}  // namespace weft::command
