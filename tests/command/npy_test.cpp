// The .npy header, read and printed: what NumPy writes must be understood, and nothing else may be.
#include "npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>
#include <weft/error.hpp>

#include "parallel_file.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

using npy::Header;

/// A header of that version around a dictionary, unpadded.
std::string header_of(const std::string& dictionary, char major = 1) {
  const auto length = static_cast<unsigned>(dictionary.size());
  std::string text = "\x93NUMPY";
  text += {major, 0};
  for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte)
    text += static_cast<char>(length >> (8 * byte) & 0xff);
  return text + dictionary;
}

/// "" if the header is accepted, else the message of its error.
std::string error_of(const std::string& header) {
  return message_of([&] { npy::parse(header); }).value_or("");
}

void expect_error(const std::string& header, const std::string& part) {
  SCOPED_TRACE(header);
  test::expect_error([&] { npy::parse(header); }, {part});
}

std::string dictionary_of(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const Header header = npy::parse(
      header_of("{'descr': '>c8', 'fortran_order': True, 'shape': (2, 3, 5), }          \n"));
  EXPECT_EQ(header.precision, Precision::single_);
  EXPECT_TRUE(header.complex);
  EXPECT_TRUE(header.big_endian);
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.shape, (Shape{2, 3, 5}));
  EXPECT_EQ(header.element_bytes(), 8);
  EXPECT_EQ(header.file_bytes(), header.data_offset + 2 * 3 * 5 * 8);
}

TEST(Npy, ReadsEveryVersion) {
  const std::string dictionary = dictionary_of("<f8", "(7,)");
  for (const char major : {1, 2, 3}) {
    const std::string text = header_of(dictionary, major);
    EXPECT_EQ(npy::header_bytes(text), static_cast<Index>(text.size()));
    const Header header = npy::parse(text);
    EXPECT_EQ(header.shape, (Shape{7}));
    EXPECT_EQ(header.data_offset, static_cast<Index>(text.size()));
  }
}

TEST(Npy, ReadsTheDictionaryHoweverItIsWritten) {
  for (const char* dictionary :
       {"{'shape': (4, 5), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(4,5)}",
        "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 4 , 5 , ) , }  \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4L, 5L), }"}) {
    const Header header = npy::parse(header_of(dictionary));
    EXPECT_EQ(header.shape, (Shape{4, 5})) << dictionary;
    EXPECT_EQ(header.precision, Precision::single_);
    EXPECT_FALSE(header.complex);
    EXPECT_FALSE(header.fortran_order);
  }
}

TEST(Npy, TakesAnUnmarkedTypeAsNative) {
  for (const char* type : {"f8", "=f8", "|f8"})
    EXPECT_TRUE(npy::parse(header_of(dictionary_of(type, "(3,)"))).is_native()) << type;
}

/// All numbers of half precision, against the definition of its fields.
TEST(Npy, ConvertsHalfPrecision) {
  const Header header = npy::parse(header_of(dictionary_of("<f2", "(65536,)")));
  EXPECT_EQ(header.precision, Precision::single_);
  std::vector<float> numbers(65536);
  auto* const stored = reinterpret_cast<std::uint16_t*>(numbers.data() + numbers.size()) - 65536;
  for (int half = 0; half < 65536; ++half) stored[half] = static_cast<std::uint16_t>(half);
  npy::convert(header, stored, numbers.data(), 65536);
  for (int half = 0; half < 65536; ++half) {
    const int exponent = half >> 10 & 31, bits = half & 1023;
    const float size = exponent == 0 ? std::ldexp(bits / 1024.F, -14)
                                     : std::ldexp(1 + bits / 1024.F, exponent - 15);
    if (exponent == 31)
      EXPECT_FALSE(std::isfinite(numbers[half])) << half;
    else
      EXPECT_EQ(numbers[half], half < 32768 ? size : -size) << half;
    EXPECT_EQ(std::isnan(numbers[half]), exponent == 31 && bits != 0) << half;
    EXPECT_EQ(std::signbit(numbers[half]), half >= 32768) << half;
  }
}

TEST(Npy, NamesWhatIsSupported) {
  for (const char* type :
       {"<i3", "<i16", "<f16", "<c32", "|b2", "<U4", "|O", "<M8[ns]", "", "<", "d", "<f", "i"})
    expect_error(header_of(dictionary_of(type, "(3,)")), "supported are f2, f4, f8, c8, c16, i1");
  expect_error(header_of("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }\n"),
               "records are not supported");
  std::string later = header_of(dictionary_of("<f8", "(3,)"));
  later[6] = 4;
  expect_error(later, "4.0; 1.0, 2.0 and 3.0 are supported");
  later[6] = 1;
  later[7] = 1;
  expect_error(later, "version 1.1");
  expect_error(header_of(dictionary_of("<f8", "(1, 2, 3, 4, 5, 6, 7, 8, 9)")), "more than 8 axes");
}

TEST(Npy, RefusesArraysThatCannotBe) {
  expect_error(header_of(dictionary_of("<f8", "()")), "no axes");
  expect_error(header_of(dictionary_of("<f8", "(3, 0)")), "is 0");
  expect_error(header_of(dictionary_of("<f8", "(-3,)")), "expected a length");
  expect_error(header_of(dictionary_of("<f8", "(99999999999999999999,)")), "beyond 64 bits");
  expect_error(header_of(dictionary_of("<f8", "(9223372036854775807,)")), "64 bits can count");
  expect_error(header_of(dictionary_of("<f8", "(4294967296, 4294967296)")), "64 bits can count");
  // Room enough behind the shortest header, but not behind the one that print makes of it.
  expect_error(header_of("{'descr':'<f4','fortran_order':False,'shape':(2305843009213693920,1)}"),
               "64 bits can count");
  EXPECT_EQ(error_of(header_of(dictionary_of("<f8", "(1152921504606000000,)"))), "");
}

TEST(Npy, RefusesMalformedDictionaries) {
  for (const char* dictionary :
       {"{}",
        "[]",
        "None",
        "'shape'",
        "{'descr': '<f8'}",
        "{'descr'}",
        "{'descr': }",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': false, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [3]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}"})
    expect_error(header_of(dictionary), "malformed");
}

TEST(Npy, RefusesWhatIsEndless) {
  std::string axes = "(", brackets;
  for (int axis = 0; axis < 100000; ++axis) axes += "1, ";
  expect_error(header_of(dictionary_of("<f8", axes + ")"), 2), "more than 8 axes");
  for (const char* bracket : {"(", "[", "{"}) {
    brackets.clear();
    for (int depth = 0; depth < 60000; ++depth) brackets += bracket;
    expect_error(header_of(dictionary_of("<f8", brackets), 2), "malformed");
    expect_error(header_of(brackets, 2), "malformed");
  }
}

TEST(Npy, ShowsNoControlCharacters) {
  const std::string message = error_of(header_of(std::string("{\x1b[2J\0\a", 7)));
  for (const char character : message) EXPECT_GE(character, ' ');
  const std::string type =
      error_of(header_of(dictionary_of("<f8\x1b[2J\a\x9b"
                                       "31m",
                                       "(3,)")));
  expect_words(type, {"'<f8?[2J??31m' is not supported"});
}

TEST(Npy, ShortensWhatItShows) {
  const std::string longest(100000, 'f');
  EXPECT_LT(error_of(header_of(dictionary_of(longest, "(3,)"), 2)).size(), 300u);
  EXPECT_LT(error_of(header_of("{'" + longest + "': 1}", 2)).size(), 300u);
}

TEST(Npy, RefusesEveryTruncation) {
  for (const char major : {1, 2, 3}) {
    const std::string whole = header_of(dictionary_of("<f8", "(30, 40)"), major);
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_NE(error_of(whole.substr(0, length)), "") << length;
  }
  expect_error("", "not a .npy file");
  expect_error("\x93NUM", "ends within");
  expect_error("PK\x03\x04 this is a .npz file", "not a .npy file");
}

TEST(Npy, RefusesHeadersTooLongToBeTrue) {
  std::string text = header_of(dictionary_of("<f8", "(3,)"), 2);
  text[11] = '\x7f';
  expect_error(text, "claims to be");
  text[11] = '\xff';
  expect_error(text, "claims to be");
}

/// Random damage must give an error or a header that makes sense; never a crash, nor a wild size.
TEST(Npy, SurvivesDamage) {
  std::mt19937 random(20260101);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const std::string letters = "{}()[]'\",: 0123456789LTrueFals<>=fc\n\\\x00\xff\x93NUMPY";
  for (int round = 0; round < 50000; ++round) {
    std::string text = npy::print({Precision::double_, round % 2 == 0, false, false, {30, 4, 5}});
    for (std::size_t damage = 1 + below(4); damage-- > 0;) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = letters[below(letters.size())];
          break;
        case 2:
          text.erase(at, 1 + below(8));
          break;
        default:
          text.insert(at, 1 + below(8), letters[below(letters.size())]);
          break;
      }
      if (text.empty()) text = "x";
    }
    try {
      const Header header = npy::parse(text);
      ASSERT_LE(header.data_offset, static_cast<Index>(text.size()));
      ASSERT_GE(header.shape.size(), 1);
      ASSERT_GT(header.file_bytes(), header.data_offset);
    } catch (const Error& error) {
      ASSERT_STRNE(error.what(), "");
    }
  }
}

TEST(Npy, PrintsWhatItReads) {
  for (const Shape& shape : {Shape{1}, Shape{123456789012}, Shape{2, 3}, Shape{1, 2, 3, 4, 5, 6}})
    for (const bool complex : {false, true})
      for (const bool flag : {false, true})
        for (const Precision precision : {Precision::single_, Precision::double_}) {
          const std::string text = npy::print({precision, complex, flag, !flag, shape});
          EXPECT_EQ(text.size() % 64, 0u);
          EXPECT_EQ(text.back(), '\n');
          const Header header = npy::parse(text);
          EXPECT_EQ(header.shape, shape);
          EXPECT_EQ(header.complex, complex);
          EXPECT_EQ(header.precision, precision);
          EXPECT_EQ(header.big_endian, flag);
          EXPECT_EQ(header.fortran_order, !flag);
          EXPECT_EQ(header.data_offset, static_cast<Index>(text.size()));
        }
}

TEST(Npy, PrintsByteForByteAsNumpy) {
  const std::string text = npy::print({Precision::double_, false, false, false, {3, 4}});
  EXPECT_EQ(text.substr(10), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }" +
                                 std::string(58, ' ') + "\n");
  const std::string line = npy::print({Precision::single_, true, false, true, {3}});
  EXPECT_EQ(line.substr(10), "{'descr': '<c8', 'fortran_order': True, 'shape': (3,), }" +
                                 std::string(61, ' ') + "\n");
}

TEST(Npy, SwapsBytes) {
  std::string words = "abcdefghABCDEFGH";
  npy::swap_bytes(words.data(), 2, 8);
  EXPECT_EQ(words, "hgfedcbaHGFEDCBA");
  npy::swap_bytes(words.data() + 8, 2, 4);
  EXPECT_EQ(words, "hgfedcbaEFGHABCD");
}

/// Pieces follow each other in the box's C order and none is larger than asked.
TEST(Pieces, TileTheBoxInOrder) {
  const Box box{{2, 0, 5}, {5, 4, 12}};
  for (Index most = 1; most <= box.volume() + 1; ++most) {
    Index done = 0;
    for (const Box& piece : command::pieces_of(box, most)) {
      EXPECT_LE(piece.volume(), most);
      EXPECT_TRUE(box.contains(piece));
      const PerAxis<Index> strides{28, 7, 1};
      const auto place = [&](const Point& point) {
        Index result = 0;
        for (int axis = 0; axis < 3; ++axis)
          result += (point[axis] - box.lower[axis]) * strides[axis];
        return result;
      };
      EXPECT_EQ(place(piece.lower), done);
      done += piece.volume();
      Point last = piece.upper;
      for (Index& coordinate : last) --coordinate;
      EXPECT_EQ(place(last), done - 1);
    }
    EXPECT_EQ(done, box.volume());
  }
}

TEST(Pieces, AreNoneOfAnEmptyBox) { EXPECT_TRUE(command::pieces_of({{3, 0}, {3, 5}}, 10).empty()); }

}  // namespace
}  // namespace weft::test
