// POSIX alone can lock, sync and replace. flock and not fcntl, whose locks belong to the process:
// its threads would not exclude one another, and closing the file anywhere would end the lock.
#include "tune/shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <thread>
#include <weft/error.hpp>

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what, int error = errno) {
  throw Error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

/// An open file, closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

std::string read_all(int descriptor, const fs::path& path, std::size_t most) {
  std::string text;
  std::size_t length = 0;
  for (;;) {
    text.resize(std::min(most, std::max(2 * length, std::size_t{1} << 16)));
    if (length == most) return text;
    const ssize_t got = read(descriptor, text.data() + length, text.size() - length);
    if (got < 0 && errno != EINTR) fail(path, "cannot be read");
    if (got > 0) length += static_cast<std::size_t>(got);
    if (got == 0) break;
  }
  text.resize(length);
  return text;
}

void write_all(int descriptor, const fs::path& path, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t put = write(descriptor, text.data() + written, text.size() - written);
    if (put < 0 && errno != EINTR) fail(path, "cannot be written");
    if (put > 0) written += static_cast<std::size_t>(put);
  }
  if (fsync(descriptor) != 0) fail(path, "cannot be written");
}

int try_flock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno; }

fs::path beside(const fs::path& path, const std::string& ending) { return path.string() + ending; }

}  // namespace

std::optional<std::string> read_file(const fs::path& path, std::size_t most) {
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0 && errno == ENOENT) return std::nullopt;
  if (file < 0) fail(path, "cannot be read");
  struct stat status {};
  if (fstat(file, &status) != 0) fail(path, "cannot be read");
  if (S_ISDIR(status.st_mode)) throw Error(path.string() + ": is a folder, and no file");
  if (!S_ISREG(status.st_mode)) throw Error(path.string() + ": is no regular file");
  return read_all(file, path, most);
}

Turn::Turn(const fs::path& path, const Turns& turns) : path_(path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) fail(path.parent_path(), "cannot be made", error.value());
  const fs::path name = beside(path, ".lock");
  lock_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) fail(name, "cannot be written");
  try {
    wait(turns);
  } catch (...) {
    close(lock_);
    throw;
  }
}

Turn::~Turn() { close(lock_); }

void Turn::wait(const Turns& turns) {
  const auto deadline = Clock::now() + turns.patience;
  const auto try_lock = turns.try_lock == nullptr ? try_flock : turns.try_lock;
  for (;;) {
    const int error = try_lock(lock_);
    if (error == 0) return;
    if (error != EWOULDBLOCK && error != EINTR) {
      complaint_ = fmt::format(
          "{}.lock: no locks on this file system ({}); of jobs that write at the same time, the "
          "last one wins",
          path_.string(), std::strerror(error));
      return;
    }
    if (Clock::now() >= deadline)
      throw Error(
          fmt::format("{}.lock: another job has held the lock for {} s; nothing was written",
                      path_.string(), std::chrono::duration<double>(turns.patience).count()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Turn::keep_aside() const {
  const fs::path aside = beside(path_, ".damaged");
  std::error_code error;
  fs::remove(aside, error);
  fs::create_hard_link(path_, aside, error);
  // Some file systems have no second names; the file is then gone until the new one comes.
  if (error) fs::rename(path_, aside, error);
  if (error) fail(aside, "cannot be written", error.value());
}

void Turn::replace(const std::string& text) const {
  // One name as long as there are turns, so that a killed job's rest is cleared away by the next.
  const std::string ending =
      complaint_.empty() ? ".new" : fmt::format(".new-{:08x}", std::random_device{}());
  const fs::path fresh = beside(path_, ending);
  unlink(fresh.c_str());
  try {
    const Descriptor file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file < 0) fail(fresh, "cannot be written");
    write_all(file, fresh, text);
    if (rename(fresh.c_str(), path_.c_str()) != 0) fail(path_, "cannot be replaced");
  } catch (...) {
    unlink(fresh.c_str());
    throw;
  }
}

}  // namespace weft
