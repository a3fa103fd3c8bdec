// The form of numbers while they travel. Kernels include this header too, so it includes nothing.
#pragma once

namespace weft {

/// The format of numbers that are sent between ranks. `single_`: float, for double data.
/// `bfloat16`: 8 bits of precision with the range of float. `fixed12`: a complex number in 32 bits,
/// whose parts are 12-bit multiples of a shared power of two. Each exchange rounds: `single_` and
/// `bfloat16` by at most 2^-24 and 2^-8 of each part, `fixed12` by about 2^-11 of the larger part
/// at most. Numbers beyond the range of float, or from 2^125 on for `fixed12`, arrive as infinity
/// or NaN; below 2^-126 they lose digits, or become 0.
enum class Wire { exact, single_, bfloat16, fixed12 };

}  // namespace weft
