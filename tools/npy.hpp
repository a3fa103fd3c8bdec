// NumPy's .npy header, read and printed: text in, values out; no file and no MPI, so that malformed
// headers can be tested by the thousand.
#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <weft/axes.hpp>
#include <weft/transform.hpp>

namespace weft::npy {

/// The header of a .npy file. A plain value: it can be broadcast as bytes.
struct Header {
  Precision precision = Precision::double_;
  bool complex = false;
  bool big_endian = std::endian::native == std::endian::big;
  bool fortran_order = false;
  Shape shape;
  Index data_offset = 0;  ///< bytes from the start of the file to the first element
  /// NumPy's letter and the bytes of real numbers that are stored in another way than `precision`
  /// says (i, u: an integer, b: a truth value, f: half precision); 0 bytes for all others.
  char kind = 'f';
  Index stored_bytes = 0;

  Index element_bytes() const;
  /// The bytes of the file: header and data.
  Index file_bytes() const;
  bool is_native() const { return big_endian == (std::endian::native == std::endian::big); }
  /// A name for people, for example "complex double".
  std::string type_name() const;
};

/// The size of the preamble, which says how long the header is, in bytes.
inline constexpr Index preamble_bytes = 12;

/// The bytes from the start of the file to the data, from the first `preamble_bytes` of the file
/// (fewer where the file is shorter). Throws `Error` if this is no .npy file of version 1.0, 2.0
/// or 3.0.
Index header_bytes(std::string_view preamble);

/// Parses a whole header, from the first byte of the file to the data. Throws `Error` that names
/// the malformed part, or the unsupported feature and the supported ones.
Header parse(std::string_view header);

/// The header text of this array, version 1.0, padded so that the data are aligned to 64 bytes.
/// `data_offset` is ignored: it is the length of the result.
std::string print(const Header& header);

/// Makes numbers of the header's precision (float or double) from `count` that are stored in
/// another way, in this machine's byte order. They may overlap, if both end at the same address.
template <class Real>
void convert(const Header& header, const void* stored, Real* numbers, Index count);

/// Reverses the bytes of each of `count` words of `word_bytes`, in place.
void swap_bytes(void* data, Index count, Index word_bytes);

}  // namespace weft::npy
