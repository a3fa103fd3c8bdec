// A recursive-descent reader of the Python literal in a .npy header. Strict, because a misread
// header would silently give a wrong transform.
#include "npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "text.hpp"

namespace weft::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
// NumPy itself refuses more than 10000 bytes by default; only structured types, which Weft does not
// support, need longer headers.
constexpr Index longest_header = 1 << 20;
constexpr Index alignment = 64;

/// Reads Python literals from the front of a text.
class Literals {
 public:
  explicit Literals(std::string_view text) : text_(text) {}

  /// Takes `token` if it comes next, after any white space.
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("expected {}", token));
  }

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  std::string_view string() {
    const std::string_view quote = take("'") ? "'" : "\"";
    if (quote == "\"") expect(quote);
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a string without an end");
    const std::string_view result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }

  bool boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    fail("expected True or False");
  }

  /// A tuple of lengths: (), (3,) or (3, 4). Python 2 wrote 3L.
  Shape shape() {
    Shape result;
    expect("(");
    while (!take(")")) {
      if (result.size() == max_axes)
        throw Error(fmt::format("the array has more than {} axes; 1 to {} are supported", max_axes,
                                max_axes));
      result.push_back(length());
      take("L");
      if (take(",")) continue;
      if (result.size() == 1) fail("expected , after the only length");
      expect(")");
      break;
    }
    return result;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("the .npy header is malformed: {} at character {} of \"{}\"", what, at_,
                            command::printable(text_)));
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  }

  Index length() {
    skip_space();
    const std::size_t begin = at_;
    Index result = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const Index digit = text_[at_] - '0';
      if (result > (std::numeric_limits<Index>::max() - digit) / 10)
        fail("a length beyond 64 bits");
      result = 10 * result + digit;
    }
    if (at_ == begin) fail("expected a length");
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr const char* supported_types =
    "f2, f4, f8, c8, c16, i1 to i8, u1 to u8 and b1 (float16 to float64, complex64, complex128, "
    "integers and truth values), little or big endian";

[[noreturn]] void fail_type(std::string_view description) {
  throw Error(fmt::format("the array's dtype '{}' is not supported; supported are {}",
                          command::printable(description, 40), supported_types));
}

/// Sets the type from NumPy's name, "<f8" for example. The command transforms integers as doubles,
/// as NumPy does.
void set_type(Header& header, std::string_view description) {
  std::string_view name = description;
  const char order = name.empty() ? '?' : name.front();
  if (std::string_view("<>=|").find(order) != std::string_view::npos) name.remove_prefix(1);
  const std::string_view plain[] = {"f4", "f8", "c8", "c16"};
  const std::string_view other[] = {"f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  const bool is_plain = std::ranges::find(plain, name) != std::end(plain);
  if (!is_plain && std::ranges::find(other, name) == std::end(other)) fail_type(description);
  header.complex = name.front() == 'c';
  const bool is_single = name == "f2" || name == "f4" || name == "c8";
  header.precision = is_single ? Precision::single_ : Precision::double_;
  if (!is_plain) header.kind = name.front();
  if (!is_plain) header.stored_bytes = name.back() - '0';
  if (order == '<') header.big_endian = false;
  if (order == '>') header.big_endian = true;
}

/// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } with the keys in any order.
Header parse_dictionary(std::string_view text) {
  Literals literals(text);
  Header header;
  std::optional<std::string_view> type;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;
  literals.expect("{");
  while (!literals.take("}")) {
    const std::string_view key = literals.string();
    literals.expect(":");
    if (key == "descr" && !type) {
      if (literals.take("["))
        throw Error(fmt::format("arrays of records are not supported; supported dtypes are {}",
                                supported_types));
      type = literals.string();
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = literals.boolean();
    } else if (key == "shape" && !shape) {
      shape = literals.shape();
    } else {
      literals.fail("a key that is unknown or comes twice");
    }
    if (literals.take(",")) continue;
    literals.expect("}");
    break;
  }
  if (!literals.at_end()) literals.fail("something after the dictionary");
  if (!type || !fortran_order || !shape)
    literals.fail("one of the keys descr, fortran_order and shape is missing");
  set_type(header, *type);
  header.fortran_order = *fortran_order;
  header.shape = *shape;
  return header;
}

/// Throws unless the array has elements, and fewer bytes than 64 bits can count, whatever header it
/// is written with.
void check_shape(const Header& header) {
  if (header.shape.empty())
    throw Error("the array has no axes (shape ()); 1 to 8 axes are supported");
  Index most = (std::numeric_limits<Index>::max() - preamble_bytes - longest_header) /
               header.element_bytes();
  for (const Index length : header.shape) {
    if (length == 0)
      throw Error(fmt::format("the array is empty: a length of its shape {} is 0",
                              to_string(header.shape)));
    if (length > most)
      throw Error(fmt::format("the array of shape {} has more bytes than 64 bits can count",
                              to_string(header.shape)));
    most /= length;
  }
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t result = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    result = result << 8 | static_cast<unsigned char>(bytes[i]);
  return result;
}

/// A number of half precision: a sign, 5 bits of exponent and 10 of the significand (IEEE 754).
float real_of_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int significand = half & 1023;
  float size = std::ldexp(static_cast<float>(significand), -24);
  if (exponent > 0) size = std::ldexp(static_cast<float>(1024 + significand), exponent - 25);
  if (exponent == 31)
    size = significand == 0 ? std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::quiet_NaN();
  return (half & 0x8000) != 0 ? -size : size;
}

/// Magic and version are 8 bytes; the length of the dictionary takes 2 in version 1.0, then 4.
Index dictionary_offset(std::string_view preamble) { return preamble[magic.size()] == 1 ? 10 : 12; }

}  // namespace

Index Header::element_bytes() const {
  if (stored_bytes > 0) return stored_bytes;
  return (precision == Precision::single_ ? 4 : 8) * (complex ? 2 : 1);
}

Index Header::file_bytes() const { return data_offset + volume(shape) * element_bytes(); }

std::string Header::type_name() const {
  if (stored_bytes == 0) return (complex ? "complex " : "real ") + to_string(precision);
  if (kind == 'b') return "bool";
  const char* const name = kind == 'f' ? "float" : kind == 'i' ? "int" : "uint";
  return fmt::format("{}{}", name, 8 * stored_bytes);
}

Index header_bytes(std::string_view preamble) {
  const std::string_view found = preamble.substr(0, magic.size());
  if (found != magic.substr(0, found.size()) || found.empty())
    throw Error("this is not a .npy file: it does not begin with \\x93NUMPY");
  if (preamble.size() < preamble_bytes) throw Error("the file ends within its .npy header");
  const int major = static_cast<unsigned char>(preamble[6]);
  const int minor = static_cast<unsigned char>(preamble[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw Error(fmt::format(
        "the file has .npy format version {}.{}; 1.0, 2.0 and 3.0 are supported", major, minor));
  const Index offset = dictionary_offset(preamble);
  const Index length = little_endian(preamble.substr(8, offset - 8));
  if (length > longest_header)
    throw Error(fmt::format("the .npy header claims to be {} bytes long; up to {} are supported",
                            length, longest_header));
  return offset + length;
}

Header parse(std::string_view header) {
  const Index bytes = header_bytes(header.substr(0, preamble_bytes));
  if (static_cast<Index>(header.size()) < bytes)
    throw Error("the file ends within its .npy header");
  const Index offset = dictionary_offset(header);
  Header result = parse_dictionary(header.substr(offset, bytes - offset));
  result.data_offset = bytes;
  check_shape(result);
  return result;
}

std::string print(const Header& header) {
  // (3, 4), but (3,)
  std::string shape;
  for (const Index length : header.shape)
    shape += fmt::format("{}{}", shape.empty() ? "" : ", ", length);
  if (header.shape.size() == 1) shape += ',';
  std::string dictionary =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': {}, 'shape': ({}), }}",
                  header.big_endian ? '>' : '<', header.complex ? 'c' : header.kind,
                  header.element_bytes(), header.fortran_order ? "True" : "False", shape);
  const Index offset = magic.size() + 4;
  const Index unpadded = offset + static_cast<Index>(dictionary.size()) + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';
  const auto length = static_cast<unsigned>(dictionary.size());
  std::string result(magic);
  result += {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return result + dictionary;
}

template <class Real>
void convert(const Header& header, const void* stored, Real* numbers, Index count) {
  const auto* const from = static_cast<const char*>(stored);
  const auto all_of = [&](auto zero, const auto& real_of) {
    for (Index i = 0; i < count; ++i) {
      std::memcpy(&zero, from + i * static_cast<Index>(sizeof(zero)), sizeof(zero));
      numbers[i] = static_cast<Real>(real_of(zero));
    }
  };
  const auto same = [](auto number) { return number; };
  const Index bytes = header.stored_bytes;
  if (header.kind == 'f') return all_of(std::uint16_t{}, real_of_half);
  if (header.kind == 'b') return all_of(std::uint8_t{}, [](auto value) { return value != 0; });
  if (header.kind == 'i') {
    if (bytes == 1) return all_of(std::int8_t{}, same);
    if (bytes == 2) return all_of(std::int16_t{}, same);
    return bytes == 4 ? all_of(std::int32_t{}, same) : all_of(std::int64_t{}, same);
  }
  if (bytes == 1) return all_of(std::uint8_t{}, same);
  if (bytes == 2) return all_of(std::uint16_t{}, same);
  return bytes == 4 ? all_of(std::uint32_t{}, same) : all_of(std::uint64_t{}, same);
}

template void convert(const Header&, const void*, float*, Index);
template void convert(const Header&, const void*, double*, Index);

void swap_bytes(void* data, Index count, Index word_bytes) {
  auto* word = static_cast<char*>(data);
  for (Index i = 0; i < count; ++i, word += word_bytes) std::reverse(word, word + word_bytes);
}

}  // namespace weft::npy
