// Mistakes in the arrays that a transform is given, found before anything runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace weft {

/// Throws unless each field's arrays are there where this rank holds something, and apart from all
/// others but that in[f] may be out[f]. `call` names the caller for the message.
void check_arrays(const std::string& call, std::span<const void* const> in, std::size_t in_bytes,
                  std::span<void* const> out, std::size_t out_bytes);

/// The same for one input and several outputs of equal size; in place only with one output.
void check_round_trip_arrays(const void* in, std::span<void* const> outs, std::size_t bytes);

}  // namespace weft
