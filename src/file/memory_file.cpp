// The file is made by memfd_create; other processes find it in /proc.
#include "file/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <weft/error.hpp>

namespace weft {
namespace {

std::uint64_t random_key() {
  std::random_device device;
  return std::uniform_int_distribution<std::uint64_t>()(device);
}

std::string title(std::uint64_t key) { return fmt::format("weft-emulated-{:016x}", key); }

}  // namespace

MemoryFile::MemoryFile(std::size_t bytes) : key_(random_key()) {
  descriptor_ = memfd_create(title(key_).c_str(), MFD_CLOEXEC);
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) return;
  if (descriptor_ >= 0) close(descriptor_);
  throw std::bad_alloc();
}

MemoryFile::MemoryFile(const Name& name) : key_(name.key) {
  const std::string path = fmt::format("/proc/{}/fd/{}", name.process, name.number);
  std::error_code unreadable;
  const auto found = std::filesystem::read_symlink(path, unreadable);
  if (found != fmt::format("/memfd:{} (deleted)", title(key_)))
    throw Error(
        fmt::format("emulated devices reach each other only where processes see each other's "
                    "files: {} is not the file of the other process",
                    path));
  descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0)
    throw Error(fmt::format("emulated device: {}: {}", path, std::strerror(errno)),
                Error::Cause::internal);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), key_(other.key_) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

MemoryFile::Name MemoryFile::name() const { return {getpid(), descriptor_, key_}; }

}  // namespace weft
