// memfd_create, and /proc for those who look for one.
#include "device/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>
#include <weft/error.hpp>

namespace weft {

MemoryFile::MemoryFile(std::size_t bytes)
    : descriptor_(memfd_create("weft-emulated", MFD_CLOEXEC)) {
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) return;
  if (descriptor_ >= 0) close(descriptor_);
  throw std::bad_alloc();
}

MemoryFile::MemoryFile(const Name& name) {
  const std::string path = fmt::format("/proc/{}/fd/{}", name.process, name.number);
  descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0)
    throw Error(fmt::format("emulated device: {}: {}", path, std::strerror(errno)),
                Error::Cause::internal);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

MemoryFile::Name MemoryFile::name() const { return {getpid(), descriptor_}; }

}  // namespace weft
