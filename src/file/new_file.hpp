// Files that appear under their names only when they are complete, which costs the room of a second
// copy while they are written. Plain files of one process; other ranks open them by name. Without
// fmt and MPI, because the extension for Python is compiled with it too.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace weft {

/// A file in the making beside `target`, which takes the target's name only when it is complete, so
/// that what fails leaves the target as it was and nothing else. The file is removed when this
/// object goes, and on SIGINT, SIGTERM and SIGHUP where the program does not handle them, unless it
/// was published.
///
/// Where others may write into the folder, they may put another file in its place. So this process
/// keeps it open, and whoever else opens it by name must find `token` at its start before they
/// write: nobody can put that into a file that is not theirs.
class NewFile {
 public:
  /// Creates the file; an Error where the target is no regular file or write-protected, or where
  /// the disk surely lacks room for `bytes`. A symbolic link stands for what it leads to.
  NewFile(const std::string& target, std::int64_t bytes);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The path that is to be replaced, behind symbolic links.
  const std::string& target() const { return target_; }
  const std::string& path() const { return path_; }
  /// What the file begins with until something else is written there.
  const std::string& token() const { return token_; }
  /// Open for reading and writing.
  int descriptor() const { return descriptor_; }

  /// Replaces all that the file holds.
  void write(const std::string& text);
  /// Brings the file to the disk, gives it the mode and the owner of the file that it replaces, and
  /// the target's name.
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

/// An Error where a file of that name cannot be replaced, as NewFile says.
void check_replaceable(const std::string& target, std::int64_t bytes);

/// What no other name ends with: it says which process made it, and is random.
std::string temporary_ending();

/// Whether a process that is certainly gone has made that ending.
bool is_abandoned(const std::string& ending);

}  // namespace weft
