// Reports of the C interface about plans and layouts, beside those of C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "c/c_checks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

constexpr int64_t lengths[] = {12, 10, 8};
const Shape shape{12, 10, 8};

/// The same plan in either language.
class CReportsTest : public testing::TestWithParam<const char*> {
 protected:
  CReportsTest()
      : request_(Request::parse(std::string("shape=12x10x8 ") + GetParam())),
        cxx_(MPI_COMM_WORLD, request_.transform, request_.options) {}

  Request request_;
  Plan cxx_;
  CPlan c_{shape, GetParam()};
};

TEST_P(CReportsTest, SayWhatCxxSays) {
  EXPECT_EQ(text_of([&](auto... to) { return weft_plan_engine(c_, to...); }), cxx_.engine());
  EXPECT_EQ(text_of([&](auto... to) { return weft_plan_exchanges(c_, to...); }),
            fmt::format("{}", fmt::join(cxx_.exchanges(), ",")));
  weft_traffic traffic{};
  expect_success(weft_plan_traffic(c_, &traffic));
  EXPECT_EQ(traffic.sent_bytes, cxx_.sent().bytes);
  EXPECT_EQ(traffic.messages, cxx_.sent().messages);
  EXPECT_EQ(traffic.pass_bytes, cxx_.pass_bytes());
  weft_sizes sizes{};
  expect_success(weft_plan_sizes(c_, &sizes));
  EXPECT_EQ(sizes.tiles, cxx_.tile_bytes());
  weft_side side = -1;
  expect_success(weft_plan_spectral_side(c_, &side));
  EXPECT_EQ(side == WEFT_INPUT, spectral_side(cxx_) == Side::input);
}

TEST_P(CReportsTest, TracesAreThoseOfCxx) {
  weft_sizes sizes{};
  expect_success(weft_plan_sizes(c_, &sizes));
  std::vector<std::byte> in(sizes.input), out(sizes.output);
  expect_success(weft_plan_record(c_, 1));
  expect_success(weft_forward(c_, in.data(), out.data()));
  expect_success(weft_plan_record(c_, 0));
  const std::string trace = text_of([&](auto... to) { return weft_plan_trace(c_, to...); });
  cxx_.record(true);
  const ElementType from{request_.transform.precision, cxx_.input_is_real()};
  const ElementType to{request_.transform.precision, cxx_.output_is_real()};
  cxx_.run(Direction::forward, {{RawArray{in.data(), from}}}, {{RawArray{out.data(), to}}});
  // How often an exchange is asked depends on the moment; every pass is in both traces.
  for (const Trace::Span& span : cxx_.trace().spans)
    if (span.what == Trace::Span::What::pass)
      expect_words(trace, {"\"what\":\"pass\"", "\"name\":\"" + span.name + "\""});
  expect_words(trace, {"\"dropped\":0", "\"begin\":", "\"waited\":"});
}

INSTANTIATE_TEST_SUITE_P(Plans, CReportsTest,
                         testing::Values("kind=c2c exchange=p2p", "kind=c2r precision=float",
                                         "kind=dct2 decomposition=pencil exchange=alltoallv"),
                         [](const auto& one) { return "case" + std::to_string(one.index); });

TEST(CAnswersTest, NamesAreThoseOfCxx) {
  const std::pair<const char*, std::vector<std::string>> lists[] = {
      {"engines", engine_names()},
      {"exchanges", all_exchange_names()},
      {"inter_node", inter_node_names()},
      {"options", option_keys()},
      {"transforms", transform_keys()}};
  for (const auto& [list, names] : lists)
    EXPECT_EQ(text_of([&, name = list](auto... to) { return weft_names(name, to...); }),
              fmt::format("{}", fmt::join(names, ",")));
}

TEST(CAnswersTest, CyclicLayoutsTellIndicesOneByOne) {
  const int64_t length = 7;
  weft_layout layout = nullptr;
  expect_success(weft_layout_slabs(1, &length, 3, 0, &layout));
  expect_success(weft_layout_partition(layout, "cyclic"));
  for (int rank = 0; rank < 3; ++rank) {
    weft_part part;
    expect_success(weft_layout_part(layout, rank, &part));
    int64_t index = -1;
    for (int64_t place = 0; place < part.elements; ++place) {
      expect_success(weft_layout_index(layout, rank, 0, place, &index));
      EXPECT_EQ(index, rank + 3 * place);
    }
    EXPECT_EQ(weft_layout_index(layout, rank, 0, part.elements, &index), WEFT_ERROR_ARGUMENT);
    EXPECT_EQ(part.elements, (7 - rank + 2) / 3);
    EXPECT_EQ(part.first[0], rank);
    EXPECT_EQ(part.step[0], 3);
  }
  weft_layout_drop(&layout);
}

TEST(CAnswersTest, LayoutsSayWhatTheyAre) {
  const int grid[] = {3, 2, 2}, split[] = {2, 0, 2};
  weft_layout layout = nullptr, other = nullptr;
  expect_success(weft_layout_grid(3, lengths, 3, grid, split, &layout));
  weft_global global{};
  expect_success(weft_layout_global(layout, &global));
  EXPECT_EQ(Shape(global.shape, global.shape + global.axes), shape);
  EXPECT_EQ(global.ranks, 12);
  int counts[4] = {-1, -1, -1, -1}, axes[4] = {-1, -1, -1, -1}, dimensions = 0;
  expect_success(weft_layout_process_grid(layout, 4, counts, axes, &dimensions));
  EXPECT_EQ(dimensions, 3);
  EXPECT_TRUE(std::equal(grid, grid + 3, counts) && std::equal(split, split + 3, axes));
  EXPECT_EQ(counts[3], -1) << "written beyond the end";
  for (int axis = -3; axis < 3; ++axis) {
    int local = -1;
    expect_success(weft_layout_is_local(layout, axis, &local));
    EXPECT_EQ(local, axis == 1 || axis == -2 ? 1 : 0);
  }
  int equal = -1;
  expect_success(weft_layout_copy(layout, &other));
  expect_success(weft_layout_equal(layout, other, &equal));
  EXPECT_EQ(equal, 1);
  const int order[] = {2, 1, 0};
  expect_success(weft_layout_order(other, order));
  expect_success(weft_layout_equal(layout, other, &equal));
  EXPECT_EQ(equal, 0);
  weft_layout_drop(&layout);
  weft_layout_drop(&other);
}

TEST(CAnswersTest, WavenumbersOfAxesFromTheEnd) {
  const CPlan plan(shape, "kind=r2c");
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> first(12, -1), second(12, -1);
    expect_success(weft_wavenumbers(plan, axis, nullptr, first.data(), nullptr));
    expect_success(weft_wavenumbers(plan, axis - 3, nullptr, second.data(), nullptr));
    EXPECT_EQ(first, second);
  }
}

}  // namespace
}  // namespace weft::test
