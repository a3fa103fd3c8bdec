// The file that a command is making: it appears under its name only when it is complete, which
// costs the room of a second copy while it is written.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <weft/axes.hpp>

#include "file/new_file.hpp"

namespace weft::command {

/// A NewFile that all ranks write. Collective. It is removed when this object goes, and on SIGINT,
/// SIGTERM and SIGHUP, unless it was published.
class TemporaryFile {
 public:
  /// Creates the file; throws if the target cannot be written, or surely lacks space for `bytes`.
  /// If the target is "", there is no file, and nothing to publish.
  TemporaryFile(MPI_Comm communicator, const std::string& target, Index bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  /// The file begins with this text until other data is written there.
  const std::string& token() const { return token_; }
  /// Gives the file, which no other rank may write any more, the target's name.
  void publish();
  /// Writes rank 0's text into the file, and publishes it.
  void publish_text(const std::string& text);

 private:
  MPI_Comm communicator_;
  std::optional<NewFile> made_;  // on rank 0
  std::string path_;
  std::string token_;
  bool published_ = false;
};

}  // namespace weft::command
