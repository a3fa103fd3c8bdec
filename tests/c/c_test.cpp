// The C interface beside the C++ one on the same data: results must be equal bit for bit.
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "c/c_checks.hpp"
#include "cases/cases.hpp"
#include "cases/local_array.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

struct CCase {
  Shape shape;
  std::string text;
};

std::vector<std::byte> random_bytes(std::size_t bytes, Precision precision, unsigned seed) {
  std::vector<std::byte> memory(bytes);
  std::minstd_rand random(seed + 17U * static_cast<unsigned>(world_rank()));
  std::uniform_real_distribution<double> values(-1, 1);
  const auto fill = [&](auto zero) {
    auto* const begin = reinterpret_cast<decltype(zero)*>(memory.data());
    std::generate_n(begin, bytes / sizeof zero,
                    [&] { return static_cast<decltype(zero)>(values(random)); });
  };
  precision == Precision::double_ ? fill(0.0) : fill(0.0F);
  return memory;
}

std::vector<std::byte> poisoned(std::size_t bytes) {
  return std::vector<std::byte>(bytes, std::byte{0xff});
}

/// A plan of either language for the same request.
struct Twins {
  explicit Twins(const CCase& one, MPI_Comm communicator = MPI_COMM_WORLD,
                 const Layout& input = Layout(), const Layout& output = Layout(),
                 weft_layout c_input = nullptr, weft_layout c_output = nullptr)
      : request(Request::parse("shape=" + to_string(one.shape) + " " + one.text)),
        cxx(communicator, request.transform, input, output, request.options) {
    expect_success(weft_plan_create_between(communicator, one.shape.size(), &one.shape[0],
                                            one.text.c_str(), c_input, c_output, &c));
    expect_success(weft_plan_sizes(c, &sizes));
  }
  ~Twins() { weft_plan_drop(&c); }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;

  RawArray raw(Side side, std::vector<std::byte>& memory) const {
    const bool real = side == Side::input ? cxx.input_is_real() : cxx.output_is_real();
    return {memory.data(), {request.transform.precision, real}, RawArray::unknown, nullptr};
  }
  std::vector<std::byte> field(Side side, unsigned seed) const {
    return random_bytes(side == Side::input ? sizes.input : sizes.output,
                        request.transform.precision, seed);
  }
  std::vector<std::byte> room(Side side) const {
    return poisoned(side == Side::input ? sizes.input : sizes.output);
  }

  Request request;
  Plan cxx;
  weft_plan c = nullptr;
  weft_sizes sizes{};
};

void expect_same_transforms(Twins& twins) {
  auto in = twins.field(Side::input, 1), back = twins.field(Side::output, 2);
  auto out = twins.room(Side::output), expected = out;
  expect_success(weft_forward(twins.c, in.data(), out.data()));
  twins.cxx.run(Direction::forward, {{twins.raw(Side::input, in)}},
                {{twins.raw(Side::output, expected)}});
  EXPECT_EQ(out, expected) << "forward";
  EXPECT_EQ(in, twins.field(Side::input, 1)) << "forward changes its input";
  auto result = twins.room(Side::input);
  expected = result;
  expect_success(weft_backward(twins.c, back.data(), result.data()));
  twins.cxx.run(Direction::backward, {{twins.raw(Side::output, back)}},
                {{twins.raw(Side::input, expected)}});
  EXPECT_EQ(result, expected) << "backward";
}

class CTransformTest : public testing::TestWithParam<CCase> {};

TEST_P(CTransformTest, GivesTheBitsOfCxx) {
  Twins twins(GetParam());
  expect_same_transforms(twins);
  std::vector<std::byte> memory(twins.sizes.in_place), expected(twins.sizes.in_place);
  const auto in = twins.field(Side::input, 3);
  std::ranges::copy(in, memory.begin());
  std::ranges::copy(in, expected.begin());
  expect_success(weft_forward(twins.c, memory.data(), memory.data()));
  twins.cxx.run(Direction::forward, {{twins.raw(Side::input, expected)}},
                {{twins.raw(Side::output, expected)}});
  memory.resize(twins.sizes.output);
  expected.resize(twins.sizes.output);
  EXPECT_EQ(memory, expected) << "in place";
}

TEST_P(CTransformTest, SaysWhatCxxSays) {
  Twins twins(GetParam());
  EXPECT_EQ(text_of([&](auto... to) { return weft_describe(twins.c, to...); }),
            twins.cxx.describe());
  const std::string again = text_of([&](auto... to) { return weft_plan_text(twins.c, to...); });
  const Request request = Request::parse("shape=" + to_string(GetParam().shape) + " " + again);
  EXPECT_EQ(request.options, twins.cxx.options());
  EXPECT_EQ(to_string(request.transform), to_string(twins.cxx.transform()));
  for (const weft_side side : {WEFT_INPUT, WEFT_OUTPUT}) {
    const Side end = side == WEFT_INPUT ? Side::input : Side::output;
    weft_part part;
    expect_success(weft_plan_part(twins.c, side, &part));
    expect_part(part, twins.cxx.layout(end), world_rank());
    weft_element element;
    expect_success(weft_plan_element(twins.c, side, &element));
    EXPECT_EQ(element.is_real != 0,
              end == Side::input ? twins.cxx.input_is_real() : twins.cxx.output_is_real());
    EXPECT_EQ(static_cast<Index>(end == Side::input ? twins.sizes.input : twins.sizes.output),
              part.allocated * static_cast<Index>(element.bytes));
  }
  EXPECT_EQ(twins.sizes.in_place, twins.cxx.in_place_bytes());
  EXPECT_EQ(twins.sizes.workspace, twins.cxx.workspace_bytes());
}

INSTANTIATE_TEST_SUITE_P(
    Requests, CTransformTest,
    testing::Values(CCase{{12, 10, 8}, "kind=c2c"}, CCase{{13, 7, 9}, "kind=r2c norm=ortho"},
                    CCase{{12, 10, 8}, "kind=c2r precision=float exchange=p2p"},
                    CCase{{1, 5, 1}, "kind=c2c norm=forward"}, CCase{{17}, "kind=c2c"},
                    CCase{{2, 3}, "kind=dct2 exchange=alltoallv"},
                    CCase{{6, 5, 4, 3}, "kinds=none,c2c,dct1,r2c scale=0.5"},
                    CCase{{12, 12, 12}, "kind=r2c modes=2/3,all,3 output=natural"},
                    CCase{{8, 6, 10}, "kind=r2c_packed, decomposition=pencil, exchange=alltoallw"},
                    CCase{{16, 12, 10}, "kind=r2c precision=float wire=bfloat16 exchange=p2p"},
                    CCase{{12, 9, 8}, "kind=c2c axes=1,-1 threads=2 producer_chunks=2"}),
    [](const auto& one) { return "case" + std::to_string(one.index); });

weft_box c_box(const Box& box) {
  weft_box result{box.axes(), {}, {}};
  std::ranges::copy(box.lower, result.lower);
  std::ranges::copy(box.upper, result.upper);
  return result;
}

/// The same layout in C, by its boxes, memory order and gaps.
weft_layout c_layout(const Layout& layout) {
  std::vector<weft_box> boxes;
  for (int rank = 0; rank < layout.ranks(); ++rank) boxes.push_back(c_box(layout.box(rank)));
  const Shape& global = layout.global();
  weft_layout result = nullptr;
  expect_success(
      weft_layout_boxes(global.size(), &global[0], layout.ranks(), boxes.data(), &result));
  expect_success(weft_layout_order(result, &layout.order()[0]));
  if (layout.partition() == Partition::cyclic)
    expect_success(weft_layout_partition(result, "cyclic"));
  if (!layout.padding().empty())
    expect_success(weft_layout_pad(result, &layout.padding()[0]));
  else if (layout.has_gaps())
    expect_success(weft_layout_strides(result, &layout.strides(world_rank())[0]));
  return result;
}

/// By its boxes, and where it has no gaps of its own with those that `step` makes: every second
/// element of an array, or every third.
Layout by_boxes(const Layout& layout, Index step) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < layout.ranks(); ++rank) boxes.push_back(layout.box(rank));
  Layout result = Layout::boxes(layout.global(), boxes).ordered(layout.order());
  if (layout.partition() == Partition::cyclic) result = result.partitioned(Partition::cyclic);
  if (layout.has_gaps()) return result.padded(layout.padding());
  PerAxis<Index> strides = result.strides(world_rank());
  for (Index& stride : strides) stride = std::max<Index>(1, step * stride);
  return step > 1 ? result.strided(strides) : result;
}

// As `random_test.cpp`, which tells whether C++ is right.
TEST(CTest, RandomRequestsGiveTheBitsOfCxx) {
  long seed = environment_number("WEFT_RANDOM_SEED", new_seed());
  for (const long end = seed + 20; seed < end && !HasFailure(); ++seed) {
    Case one =
        random_case(static_cast<std::uint64_t>(seed), world_ranks(), {"auto", "p2p"}, {"auto"});
    SCOPED_TRACE("WEFT_RANDOM_SEED=" + std::to_string(seed) + ": " + to_string(one));
    one.options.fields = 1;
    one.options.arrays = Arrays::any;
    const std::string whole = to_string(one.transform);  // begins with the shape
    const std::string options = to_string(one.options);
    const CCase text{one.transform.shape,
                     whole.substr(whole.find(' ') + 1) + (options == "auto" ? "" : " " + options)};
    Layout input, output;
    weft_layout c_input = nullptr, c_output = nullptr;
    if (one.layouts) {
      input = by_boxes(one.layouts->first, 1 + seed % 3);
      output = by_boxes(one.layouts->second, 1 + seed % 2);
      c_input = c_layout(input);
      c_output = c_layout(output);
    }
    Twins twins(text, MPI_COMM_WORLD, input, output, c_input, c_output);
    weft_layout_drop(&c_input);
    weft_layout_drop(&c_output);
    expect_same_transforms(twins);
  }
}

TEST(CTest, FieldsAndScalesAreThoseOfCxx) {
  Twins twins({{12, 10, 9}, "kind=r2c fields=3 exchange=p2p"});
  std::vector<std::vector<std::byte>> in, out, expected;
  for (unsigned f = 0; f < 3; ++f) {
    in.push_back(twins.field(Side::input, f));
    out.push_back(twins.room(Side::output));
  }
  expected = out;
  std::vector<const void*> from;
  std::vector<void*> to;
  std::vector<RawArray> raw_in, raw_out;
  for (std::size_t f = 0; f < 3; ++f) {
    from.push_back(in[f].data());
    to.push_back(out[f].data());
    raw_in.push_back(twins.raw(Side::input, in[f]));
    raw_out.push_back(twins.raw(Side::output, expected[f]));
  }
  expect_success(weft_run(twins.c, WEFT_FORWARD, 3, from.data(), to.data(), 0.25));
  twins.cxx.run(Direction::forward, raw_in, raw_out, 0.25);
  EXPECT_EQ(out, expected);
}

TEST(CTest, TransformsInFlight) {
  Twins twins({{12, 10, 9}, "kind=r2c fields=2 exchange=p2p producer_chunks=2"});
  auto first = twins.field(Side::input, 1), second = twins.field(Side::input, 2);
  auto a = twins.room(Side::output), b = a, expected_a = a, expected_b = a;
  weft_request one = nullptr, two = nullptr;
  expect_success(weft_start(twins.c, WEFT_FORWARD, first.data(), a.data(), 1, &one));
  expect_success(weft_start(twins.c, WEFT_FORWARD, second.data(), b.data(), 2, &two));
  ASSERT_NE(two, nullptr);
  for (int done = 0; done == 0;) expect_success(weft_test(&two, &done));
  EXPECT_EQ(two, nullptr);
  expect_success(weft_wait(&one));
  EXPECT_EQ(one, nullptr);
  const auto run = [&](auto& in, auto& out, double scale) {
    twins.cxx.run(Direction::forward, {{twins.raw(Side::input, in)}},
                  {{twins.raw(Side::output, out)}}, scale);
  };
  run(first, expected_a, 1);
  run(second, expected_b, 2);
  EXPECT_EQ(a, expected_a);
  EXPECT_EQ(b, expected_b);
  int done = 0;
  expect_success(weft_test(&one, &done));
  EXPECT_EQ(done, 1) << "a NULL request is over";
  expect_success(weft_wait(&one));
}

TEST(CTest, OwnArraysReceiveResultsDirectly) {
  Twins twins({{12, 4 * world_ranks(), 8}, "kind=c2c output=natural"});
  weft_array in = nullptr, out = nullptr, again = nullptr, made = nullptr;
  expect_success(weft_array_own(twins.c, WEFT_INPUT, &in));
  expect_success(weft_array_own(twins.c, WEFT_OUTPUT, &out));
  expect_success(weft_array_own(twins.c, WEFT_OUTPUT, &again));
  EXPECT_EQ(weft_array_data(again), weft_array_data(out));
  const auto values = twins.field(Side::input, 4);
  std::memcpy(weft_array_data(in), values.data(), values.size());
  auto own_in = twins.cxx.input<Complex>(), own_out = twins.cxx.output<Complex>();
  std::memcpy(own_in.data(), values.data(), values.size());
  expect_success(weft_forward(twins.c, weft_array_data(in), weft_array_data(out)));
  twins.cxx.forward(own_in, own_out);
  EXPECT_EQ(std::memcmp(weft_array_data(out), own_out.data(), twins.sizes.output), 0);
  expect_success(weft_array_make(twins.c, WEFT_OUTPUT, &made));
  const auto zeros = std::vector<char>(twins.sizes.output, 0);
  EXPECT_EQ(std::memcmp(weft_array_data(made), zeros.data(), zeros.size()), 0);
  expect_success(weft_forward(twins.c, weft_array_data(in), weft_array_data(made)));
  EXPECT_EQ(std::memcmp(weft_array_data(made), own_out.data(), twins.sizes.output), 0);
  for (weft_array* array : {&in, &out, &again, &made}) weft_array_drop(array);
  EXPECT_EQ(weft_array_data(in), nullptr);
}

// Only the plan's own arrays: pointers to them must be recognised, or the call is refused.
TEST(CTest, PlansForTheirOwnArraysTakeTheirPointers) {
  Twins twins({{12, 4 * world_ranks(), 8}, "kind=c2c output=natural arrays=plan"});
  weft_array in = nullptr, out = nullptr;
  expect_success(weft_array_own(twins.c, WEFT_INPUT, &in));
  expect_success(weft_array_own(twins.c, WEFT_OUTPUT, &out));
  expect_success(weft_forward(twins.c, weft_array_data(in), weft_array_data(out)));
  expect_success(weft_backward(twins.c, weft_array_data(out), weft_array_data(in)));
  weft_array_drop(&in);
  weft_array_drop(&out);
}

// --- Layouts ------------------------------------------------------------------------------------

void expect_layout(weft_layout layout, const Layout& expected) {
  EXPECT_EQ(text_of([&](auto... to) { return weft_layout_text(layout, to...); }),
            to_string(expected));
  for (int rank = 0; rank < expected.ranks(); ++rank) {
    weft_part part;
    expect_success(weft_layout_part(layout, rank, &part));
    expect_part(part, expected, rank);
  }
  weft_layout_drop(&layout);
}

constexpr int64_t lengths[] = {13, 8, 9};
const Shape shape{13, 8, 9};

TEST(CLayoutTest, AreThoseOfCxx) {
  weft_layout layout = nullptr;
  expect_success(weft_layout_slabs(3, lengths, 5, -2, &layout));
  expect_layout(layout, Layout::slabs(shape, 5, -2));
  const int grid[] = {3, 2, 2};
  expect_success(weft_layout_pencils(3, lengths, grid, 0, &layout));
  expect_layout(layout, Layout::pencils(shape, {3, 2}, 0));
  expect_success(weft_layout_bricks(3, lengths, grid, &layout));
  expect_layout(layout, Layout::bricks(shape, {3, 2, 2}));
  const int split[] = {2, 0, -1};
  expect_success(weft_layout_grid(3, lengths, 3, grid, split, &layout));
  expect_layout(layout, Layout::grid(shape, {3, 2, 2}, {{1}, {}, {0, 2}}));
}

TEST(CLayoutTest, AreChangedAsInCxx) {
  const Layout slabs = Layout::slabs(shape, 4);
  weft_layout layout = nullptr, copy = nullptr;
  expect_success(weft_layout_slabs(3, lengths, 4, 0, &layout));
  const auto changed = [&](auto change, const Layout& expected) {
    expect_success(weft_layout_copy(layout, &copy));
    expect_success(change(copy));
    expect_layout(copy, expected);
  };
  const int order[] = {2, 0, 1};
  const int64_t extra[] = {0, 1, 2}, strides[] = {200, 1, 9}, other[] = {5, 6, 7};
  changed([](weft_layout one) { return weft_layout_partition(one, "blocks"); },
          slabs.partitioned(Partition::blocks));
  changed([](weft_layout one) { return weft_layout_partition(one, "cyclic"); },
          slabs.partitioned(Partition::cyclic));
  changed([](weft_layout one) { return weft_layout_spread(one, 9, 0); }, slabs.spread(9));
  changed([](weft_layout one) { return weft_layout_spread(one, 9, 1); }, slabs.spread(9, 1));
  changed([&](weft_layout one) { return weft_layout_order(one, order); }, slabs.ordered({2, 0, 1}));
  changed([&](weft_layout one) { return weft_layout_pad(one, extra); }, slabs.padded({0, 1, 2}));
  changed([&](weft_layout one) { return weft_layout_strides(one, strides); },
          slabs.strided({200, 1, 9}));
  changed([&](weft_layout one) { return weft_layout_reshape(one, 3, other); },
          slabs.reshaped({5, 6, 7}));
  expect_success(weft_layout_pad(layout, extra));
  changed([](weft_layout one) { return weft_layout_contiguous(one); }, slabs);
  weft_layout_drop(&layout);
}

TEST(CLayoutTest, BoxesOfTheCaller) {
  // The last rank holds everything in front of the others' slabs, in an order of its own.
  std::vector<Box> boxes;
  std::vector<weft_box> c_boxes;
  const Layout slabs = Layout::slabs(shape, world_ranks());
  for (int rank = 0; rank < world_ranks(); ++rank) {
    boxes.push_back(slabs.box(world_ranks() - 1 - rank));
    c_boxes.push_back(c_box(boxes.back()));
  }
  weft_layout given = nullptr, gathered = nullptr, of_plan = nullptr;
  expect_success(weft_layout_boxes(3, lengths, world_ranks(), c_boxes.data(), &given));
  expect_success(weft_layout_gathered(MPI_COMM_WORLD, 3, lengths,
                                      &c_boxes[static_cast<std::size_t>(world_rank())], &gathered));
  {
    const Layout expected = Layout::boxes(shape, boxes);
    Twins twins({shape, "kind=c2c"}, MPI_COMM_WORLD, expected, expected, given, gathered);
    expect_same_transforms(twins);
    expect_success(weft_plan_layout(twins.c, WEFT_OUTPUT, &of_plan));
    expect_layout(of_plan, twins.cxx.output_layout());
  }
  expect_layout(given, Layout::boxes(shape, boxes));
  expect_layout(gathered, Layout::boxes(shape, boxes));
}

TEST(CLayoutTest, ArraysWithGapsAndOtherOrders) {
  const Layout padded = Layout::slabs(shape, world_ranks(), 1).padded({0, 0, 1});
  const Layout spectrum =
      Layout::slabs({13, 8, 5}, world_ranks()).ordered({2, 0, 1}).partitioned(Partition::blocks);
  weft_layout in = nullptr, out = nullptr;
  const int64_t extra[] = {0, 0, 1}, half[] = {13, 8, 5};
  const int order[] = {2, 0, 1};
  expect_success(weft_layout_slabs(3, lengths, world_ranks(), 1, &in));
  expect_success(weft_layout_pad(in, extra));
  expect_success(weft_layout_slabs(3, half, world_ranks(), 0, &out));
  expect_success(weft_layout_partition(out, "blocks"));
  expect_success(weft_layout_order(out, order));
  Twins twins({shape, "kind=r2c"}, MPI_COMM_WORLD, padded, spectrum, in, out);
  weft_layout_drop(&in);
  weft_layout_drop(&out);
  expect_same_transforms(twins);
}

// --- Communicators and lifetimes -----------------------------------------------------------------

TEST(CTest, PartsOfTheJob) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &part);
  {
    Twins twins({{10, 9, 8}, world_rank() % 2 == 0 ? "kind=r2c" : "kind=c2c norm=ortho"}, part);
    expect_same_transforms(twins);
  }
  MPI_Comm_free(&part);
}

TEST(CTest, HandlesAreDroppedInAnyOrder) {
  const int64_t small[] = {8, 7, 6};
  for (int round = 0; round < 3; ++round) {
    weft_plan plan = nullptr;
    weft_array own = nullptr, made = nullptr, spectrum = nullptr;
    weft_request request = nullptr;
    expect_success(weft_plan_create(MPI_COMM_WORLD, 3, small, "kind=c2c exchange=p2p", &plan));
    expect_success(weft_array_own(plan, WEFT_INPUT, &own));
    expect_success(weft_array_make(plan, WEFT_INPUT, &made));
    expect_success(weft_array_make(plan, WEFT_OUTPUT, &spectrum));
    expect_success(weft_start(plan, WEFT_FORWARD, weft_array_data(made), weft_array_data(spectrum),
                              1, &request));
    if ((world_rank() + round) % 2 == 0) weft_plan_drop(&plan);
    expect_success(weft_wait(&request));
    if ((world_rank() + round) % 3 == 0) weft_array_drop(&own);
    weft_plan_drop(&plan);
    weft_plan_drop(&plan);
    if (own != nullptr) std::memset(weft_array_data(own), 1, sizeof(double));
    for (weft_array* array : {&made, &own, &spectrum}) weft_array_drop(array);
  }
  weft_plan plan = nullptr;
  expect_success(weft_plan_create(MPI_COMM_WORLD, 3, small, "kind=c2c", &plan));
  expect_success(weft_plan_close(&plan));
  EXPECT_EQ(plan, nullptr);
}

}  // namespace
}  // namespace weft::test
