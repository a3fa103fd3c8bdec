// Numbers that look random and are the same on all ranks and machines, without a state to share.
#pragma once

#include <cstdint>

namespace weft {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

/// A number in [0, 1), made of the upper 53 bits.
constexpr double unit_number(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace weft
