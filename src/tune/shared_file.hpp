// Small files that several jobs read and rewrite at once: readers always find a whole file and need
// no lock, writers take turns. The locks are the kernel's, so that a job that is killed leaves
// none; where a file system has none, a writer's change may get lost but the file stays whole.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// The bytes of a file, but no more than `most` of them; nothing where there is no such file.
/// Throws an Error for what cannot be read or is no regular file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t most);

/// How writers wait for one another.
struct Turns {
  std::chrono::milliseconds patience{30000};
  /// Tries to lock an open file for this process alone; 0, or the error's number.
  int (*try_lock)(int descriptor) = nullptr;  ///< if null: flock
};

/// This process's turn to rewrite a file: while it lives, others wait. Its lock lies on another
/// file beside it, PATH.lock, which stays there; the file itself is replaced and cannot carry one.
class Turn {
 public:
  /// Makes the folder where it is missing. Throws an Error where nothing can be written there or
  /// others do not end their turns in good time.
  Turn(const std::filesystem::path& path, const Turns& turns);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Why there is no lock; empty where there is one.
  const std::string& complaint() const { return complaint_; }

  /// The old file keeps a second name: PATH.damaged.
  void keep_aside() const;
  /// The text takes the file's place: at once, and safe on the disk.
  void replace(const std::string& text) const;

 private:
  void wait(const Turns& turns);

  std::filesystem::path path_;
  int lock_ = -1;
  std::string complaint_;
};

}  // namespace weft
