// Files that get their names only when they are complete; meanwhile the disk holds both the old and
// the new file. One process creates the file; other ranks open it by name. Uses neither fmt nor
// MPI, because the extension for Python is compiled with it too.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace weft {

/// A temporary file beside `target`, which takes the target's name only when it is complete. A
/// failure therefore leaves the target unchanged, and no other file. Unless it was published, the
/// file is removed with this object. It is also removed on SIGINT, SIGTERM and SIGHUP, if the
/// program does not handle them.
///
/// Others who may write into the folder could replace the file by another one. Therefore this
/// process keeps it open. Any other process that opens it by name must find `token` at its start
/// before it writes: nobody can put the token into a foreign file.
class NewFile {
 public:
  /// Creates the file. Throws an Error if the target is no regular file or is write-protected, or
  /// if the disk surely lacks room for `bytes`. A symbolic link stands for the file that it leads
  /// to.
  NewFile(const std::string& target, std::int64_t bytes);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The path of the file to replace, with symbolic links resolved.
  const std::string& target() const { return target_; }
  const std::string& path() const { return path_; }
  /// Random text at the start of the file, until it is overwritten.
  const std::string& token() const { return token_; }
  /// Open for reading and writing.
  int descriptor() const { return descriptor_; }

  /// Replaces the whole content of the file.
  void write(const std::string& text);
  /// Syncs the file to the disk, gives it the mode and the owner of the file that it replaces, and
  /// renames it to the target.
  void publish();
  /// Removes the file unless it was published.
  void discard();

 private:
  std::string target_;
  std::string path_;
  std::string token_;
  int descriptor_ = -1;
  pid_t maker_ = 0;
};

/// Throws an Error if NewFile cannot replace the target.
void check_replaceable(const std::string& target, std::int64_t bytes);

/// A unique ending for temporary names: the process that made it, and random digits.
std::string temporary_ending();

/// Whether the process that made this ending has certainly ended.
bool is_abandoned(const std::string& ending);

}  // namespace weft
