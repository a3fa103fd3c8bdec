// The rows of options: a value is valid by itself where its text is, and texts are read as they are
// printed.
#include "option/option_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "support/error_checks.hpp"

namespace weft {
namespace {

TEST(OptionRows, ReadWhatTheyPrint) {
  for (const OptionRow& row : option_rows()) {
    SCOPED_TRACE(row.name);
    std::vector<std::string> values = row.tried;
    values.push_back(row.print(Options()));
    for (const std::string& value : values) {
      Options options;
      row.parse(options, value);
      EXPECT_EQ(row.print(options), value);
      EXPECT_NO_THROW(check_options(options));
      Options copied;
      row.copy(options, copied);
      EXPECT_EQ(copied, options);
    }
  }
}

TEST(OptionRows, TextAndValueHaveTheSameLimits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::map<std::string, std::function<void(Options&)>> wrong{
      {"threads=0", [](Options& o) { o.threads = 0; }},
      {"threads=4097", [](Options& o) { o.threads = 4097; }},
      {"fields=1025", [](Options& o) { o.fields = 1025; }},
      {"axes_per_pass=3", [](Options& o) { o.axes_per_pass = 3; }},
      {"producer_chunks=-1", [](Options& o) { o.producer_chunks = -1; }},
      {"consumer_chunks=4097", [](Options& o) { o.consumer_chunks = 4097; }},
      {"start_share=0", [](Options& o) { o.start_share = 0; }},
      {"start_share=1.5", [](Options& o) { o.start_share = 1.5; }},
      {"start_share=nan", [](Options& o) { o.start_share = std::nan(""); }},
      {"in_flight=-1", [](Options& o) { o.in_flight = -1; }},
      {"poll_tiles=0", [](Options& o) { o.poll_tiles = 0; }},
      {"tuning_seconds=inf", [](Options& o) { o.tuning_seconds = infinity; }},
      {"stall_seconds=-1", [](Options& o) { o.stall_seconds = -1; }},
      {"stall_limit=nan", [](Options& o) { o.stall_limit = std::nan(""); }},
      {"wire_error=-1", [](Options& o) { o.wire_error = -1; }},
      {"count_limit=-1", [](Options& o) { o.count_limit = -1; }},
      {"ranks_per_node=-1", [](Options& o) { o.ranks_per_node = -1; }},
      {"grid=2x0",
       [](Options& o) {
         o.grid = {2, 0};
       }},
      {"active_ranks=-2", [](Options& o) { o.active_ranks = -2; }},
      {"exchange=nowhere", [](Options& o) { o.exchange = "nowhere"; }},
      {"inter_node=pigeon", [](Options& o) { o.inter_node = "pigeon"; }}};
  for (const auto& one : wrong) {
    const std::string& text = one.first;
    SCOPED_TRACE(text);
    Options options;
    one.second(options);
    const std::string of_value = test::error_of([&] { check_options(options); });
    EXPECT_EQ(of_value, test::error_of([&] { Options::parse(text); }));
    test::expect_words(of_value, {text, "valid"});
  }
}

}  // namespace
}  // namespace weft
