// A recursive-descent reader of the Python literal in a .npy header. Strict, because a misread
// header would silently give a wrong transform.
#include "npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "text.hpp"

namespace weft::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
// NumPy itself refuses longer headers by default (10000); only structured types need longer ones,
// and they are not supported here.
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

[[noreturn]] void fail_type(std::string_view description) {
  throw Error(
      fmt::format("the array's dtype '{}' is not supported; supported are f4, f8, c8 and c16 "
                  "(float32, float64, complex64, complex128), little or big endian",
                  command::printable(description, 40)));
}

/// A type such as "<f8".
void set_type(Header& header, std::string_view description) {
  std::string_view name = description;
  const char order = name.empty() ? '?' : name.front();
  if (std::string_view("<>=|").find(order) != std::string_view::npos) name.remove_prefix(1);
  if (name != "f4" && name != "f8" && name != "c8" && name != "c16") fail_type(description);
  header.complex = name.front() == 'c';
  header.precision = name == "f4" || name == "c8" ? Precision::single_ : Precision::double_;
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
        throw Error(
            "arrays of records are not supported; supported dtypes are "
            "f4, f8, c8 and c16");
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
    throw Error("the array has no axes (shape ()); 1 to 6 axes are supported");
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

/// Magic and version are 8 bytes; the length of the dictionary takes 2 in version 1.0, then 4.
Index dictionary_offset(std::string_view preamble) { return preamble[magic.size()] == 1 ? 10 : 12; }

}  // namespace

Index Header::element_bytes() const {
  return (precision == Precision::single_ ? 4 : 8) * (complex ? 2 : 1);
}

Index Header::file_bytes() const { return data_offset + volume(shape) * element_bytes(); }

std::string Header::type_name() const {
  return (complex ? "complex " : "real ") + to_string(precision);
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
                  header.big_endian ? '>' : '<', header.complex ? 'c' : 'f', header.element_bytes(),
                  header.fortran_order ? "True" : "False", shape);
  const Index offset = magic.size() + 4;
  const Index unpadded = offset + static_cast<Index>(dictionary.size()) + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';
  const auto length = static_cast<unsigned>(dictionary.size());
  std::string result(magic);
  result += {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return result + dictionary;
}

void swap_bytes(void* data, Index count, Index word_bytes) {
  auto* word = static_cast<char*>(data);
  for (Index i = 0; i < count; ++i, word += word_bytes) std::reverse(word, word + word_bytes);
}

}  // namespace weft::npy
