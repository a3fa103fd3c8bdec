// Each message names the call, the array and what is valid.
#include "session/array_checks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <weft/error.hpp>

namespace weft {
namespace {

bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto second = reinterpret_cast<std::uintptr_t>(b);
  return first < second + b_bytes && second < first + a_bytes;
}

void require_there(const std::string& call, const char* which, const void* array,
                   std::size_t bytes) {
  if (array == nullptr && bytes > 0)
    throw Error(
        fmt::format("{}: {} is null, but this rank holds {} bytes of it", call, which, bytes));
}

}  // namespace

void check_arrays(const std::string& call, std::span<const void* const> in, std::size_t in_bytes,
                  std::span<void* const> out, std::size_t out_bytes) {
  for (std::size_t field = 0; field < in.size(); ++field) {
    require_there(call, "the input", in[field], in_bytes);
    require_there(call, "the output", out[field], out_bytes);
    for (std::size_t other = 0; other < in.size(); ++other) {
      const bool in_place = field == other && in[field] == out[field];
      if (!in_place && overlap(in[other], in_bytes, out[field], out_bytes))
        throw Error(
            fmt::format("{}: input and output overlap; pass the same pointer for in place, or "
                        "arrays apart from each other",
                        call));
      if (field != other && overlap(out[other], out_bytes, out[field], out_bytes))
        throw Error(fmt::format("{}: the outputs of fields {} and {} overlap", call, field, other));
    }
  }
}

void check_round_trip_arrays(const void* in, std::span<void* const> outs, std::size_t bytes) {
  require_there("apply", "the input", in, bytes);
  for (std::size_t a = 0; a < outs.size(); ++a) {
    require_there("apply", "an output", outs[a], bytes);
    bool apart = (outs.size() == 1 && outs[a] == in) || !overlap(outs[a], bytes, in, bytes);
    for (std::size_t b = 0; b < a; ++b) apart = apart && !overlap(outs[a], bytes, outs[b], bytes);
    if (!apart)
      throw Error(
          "apply: arrays overlap; pass the same pointer for in place (with one output), or "
          "arrays apart from each other");
  }
}

}  // namespace weft
