// Wisdom as text: however the text is damaged, an entry that is accepted is valid.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>
#include <weft/error.hpp>

#include "tune/wisdom_json.hpp"

namespace weft {
namespace {

const Site site{"2 x Some Processor, 8 cores, caches 32K 1M 32M", "Open MPI 4.1.4", 8, 4};
const WisdomEntry wisdom{
    {site, "4x4 c2c double", "auto", "MPI_THREAD_SINGLE, nodes 0x2"},
    {"exchange=p2p, grid=4x2", 0.001, 0.1 + 0.2, 30, 17, "2024-02-29", "0.1.0"}};
const FiguresEntry figures{site, {{"bandwidth", 1.5e10}, {"alpha p2p", 1e-6}}};

/// The entry in a text; nothing where there is none. Damaged or not, it must be sound.
template <class Entry>
std::optional<Entry> parsed(const std::string& text) {
  try {
    const auto entry = parse_entry<Entry>(text);
    EXPECT_EQ(parse_entry<Entry>(print_entry(entry)), entry) << text;
    return entry;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return std::nullopt;
  }
}

const std::string good_wisdom = print_entry(wisdom);
const std::string good_figures = print_entry(figures);

TEST(WisdomText, CutAnywhereItIsDamaged) {
  for (std::size_t length = 0; length + 1 < good_wisdom.size(); ++length)
    ASSERT_FALSE(parsed<WisdomEntry>(good_wisdom.substr(0, length))) << length;
  EXPECT_EQ(parsed<WisdomEntry>(good_wisdom), wisdom);
  EXPECT_EQ(parsed<FiguresEntry>(good_figures), figures);
  EXPECT_FALSE(parsed<WisdomEntry>(good_figures));
  EXPECT_FALSE(parsed<FiguresEntry>(good_wisdom));
}

TEST(WisdomText, FlippedBytesAndShuffledTokensNeverDoHarm) {
  const std::vector<std::string> tokens{
      "{",    "}",     "[",   "]",  ",",       ":",    "\"",           "\\", "-1",
      "1e99", "1e999", "0.5", "{}", "\\u0000", "null", "\"ranks\": 8", "\n"};
  std::mt19937 random(2024);
  for (int round = 0; round < 10000; ++round) {
    std::string text = round % 2 == 0 ? good_wisdom : good_figures;
    if (round % 4 < 2)
      text.replace(random() % text.size(), random() % 20, tokens[random() % tokens.size()]);
    else
      for (auto flips = 1 + random() % 4; flips > 0; --flips)
        text[random() % text.size()] = static_cast<char>(random());
    parsed<WisdomEntry>(text);
    parsed<FiguresEntry>(text);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(WisdomText, AComplaintIsPrintedOnce) {
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) complain_once("a complaint of this test");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "weft: a complaint of this test\n");
}

}  // namespace
}  // namespace weft
