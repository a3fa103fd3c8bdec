// A field has an arena and a few windows, so they are searched one by one.
#include "exchange/host_mirror.hpp"

#include <algorithm>
#include <functional>

namespace weft {
namespace {

bool holds(std::span<const std::byte> memory, const std::byte* address, std::size_t bytes) {
  const std::less_equal<> not_after;
  return not_after(memory.data(), address) &&
         not_after(address + bytes, memory.data() + memory.size());
}

}  // namespace

HostMirror::HostMirror(Device& device, std::vector<std::span<std::byte>> memories)
    : device_(device) {
  for (const std::span<std::byte>& memory : memories) parts_.push_back({memory, {}});
}

std::byte* HostMirror::of(const std::byte* address, std::size_t bytes) {
  auto part = std::ranges::find_if(
      parts_, [&](const Part& one) { return holds(one.mirrored, address, bytes); });
  if (part == parts_.end())
    throw Error("blocks lie in memory that has no mirror", Error::Cause::internal);
  if (part->memory.size() == 0) part->memory = device_.allocate_on_host(part->mirrored.size());
  return part->memory.data() + (address - part->mirrored.data());
}

std::size_t HostMirror::bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.memory.size();
  return bytes;
}

}  // namespace weft
