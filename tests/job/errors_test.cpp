// Every error that planning can find: it must throw weft::Error on all ranks, with the same
// message, which names what is wrong and what would be valid.
#include <gtest/gtest.h>

#include <limits>
#include <weft/weft.hpp>

#include "cases/cases.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

void expect_layout_error(const Transform& transform, const Layout& input, const Layout& output,
                         std::initializer_list<std::string> words) {
  expect_error_everywhere([&] { Plan(MPI_COMM_WORLD, transform, input, output); }, words);
}

Options options_of(const std::string& text) { return Options::parse(text); }

const Shape shape{6, 5, 4};
const Transform good(shape, Kind::c2c);

// --- what to compute ---

TEST(ErrorsTest, Shapes) {
  expect_plan_error(Transform({}, std::vector<Kind>{}), {}, {"shape", "no axes"});
  expect_plan_error(Transform({4, 0, 3}, Kind::c2c), {}, {"shape", "4x0x3"});
  expect_plan_error(Transform({4, -7}, Kind::r2c), {}, {"shape", "-7"});
  expect_error_everywhere([] { Plan(MPI_COMM_WORLD, Shape{}, Kind::c2c); }, {"shape", "no axes"});
  expect_error_everywhere(
      [] {
        Plan(MPI_COMM_WORLD, {1, 1, 1, 1, 1, 1, 1, 1, 1}, Kind::c2c);
      },
      {"8"});
}

TEST(ErrorsTest, SizesThatOverflow) {
  const Index most = std::numeric_limits<Index>::max();
  expect_plan_error(Transform({Index{1} << 32, Index{1} << 32}, Kind::c2c), {},
                    {"shape", "4294967296"});
  expect_plan_error(Transform({most, most, most}, Kind::c2c), {}, {"shape"});
  expect_plan_error(Transform({most}, Kind::c2c), {}, {"shape"});
  expect_plan_error(Transform({Index{1} << 60, 2}, Kind::r2c, {1}), {}, {"shape"});
}

TEST(ErrorsTest, Kinds) {
  expect_plan_error(Transform(shape, {Kind::c2c, Kind::c2c}), {}, {"kinds", "2", "3"});
  expect_plan_error(Transform(shape, {Kind::c2c, Kind::c2c, Kind::c2c, Kind::none}), {},
                    {"kinds", "4"});
  expect_plan_error(Transform(shape, {Kind::r2c, Kind::r2c, Kind::c2c}), {}, {"r2c", "one axis"});
  expect_plan_error(Transform(shape, {Kind::c2r, Kind::r2c, Kind::c2c}), {},
                    {"r2c", "c2r", "one axis"});
  expect_plan_error(Transform({6, 1, 4}, Kind::dct1), {}, {"dct1", "axis 1", "at least 2"});
  expect_error_everywhere([] { Plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c, {3})); },
                          {"axes", "3"});
  expect_error_everywhere(
      [] {
        Plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c, {1, 1}));
      },
      {"axis 1"});
}

TEST(ErrorsTest, ListsOfExchanges) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  for (const char* list : {"p2p/p2p/p2p/p2p", "pairwise_in_place/p2p"})
    expect_plan_error(
        good, options_of(std::string("decomposition=slab, output=natural, exchange=") + list),
        {"exchange", list, "valid"});
}

TEST(ErrorsTest, Scales) {
  for (double factor :
       {0.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Transform transform = good;
    transform.scale = {Scale::Rule::number, factor};
    expect_plan_error(transform, {}, {"scale", "zero"});
  }
}

Transform keeping(std::vector<Modes> modes, Kind kind = Kind::c2c) {
  Transform transform(shape, kind);
  transform.modes = std::move(modes);
  return transform;
}

TEST(ErrorsTest, ModesThatAreNotThere) {
  const Modes all;
  expect_plan_error(keeping({all, all}), {}, {"modes", "2", "3 axes"});
  expect_plan_error(keeping({Modes::up_to(4), all, all}), {}, {"axis 0", "4", "-2 to 3"});
  expect_plan_error(keeping({all, {{{1, 0}}, 0}, all}), {}, {"axis 1", "1 to 0"});
  expect_plan_error(keeping({all, all, Modes::of_grid(5)}), {}, {"axis 2", "grid of 5", "1 to"});
  expect_plan_error(keeping({all, all, {{{0, 1}}, 4}}), {}, {"axis 2", "one of the two"});
  expect_plan_error(keeping({all, {{{-1, 2}}, 0}, all}, Kind::r2c), {}, {"axis 1", "symmetric"});
  expect_plan_error(keeping({all, all, {{{-1, 0}}, 0}}, Kind::c2r), {}, {"axis 2", "symmetric"});
  Transform coarse = keeping({Modes::of_grid(4), all, all});
  coarse.dropped = Dropped::zero;
  expect_plan_error(coarse, {}, {"axis 0", "absent"});
  Transform batch(shape, {Kind::none, Kind::c2c, Kind::c2c});
  batch.modes = {Modes::up_to(1), all, all};
  expect_plan_error(batch, {}, {"axis 0", "none"});
  expect_plan_error(Transform({6, 4, 5}, Kind::r2c_packed), {},
                    {"r2c_packed", "axis 2", "multiple of 2"});
}

TEST(ErrorsTest, EllipsesThatAreNone) {
  const auto with_radii = [](std::vector<double> radii) {
    Transform transform = good;
    transform.ellipse = std::move(radii);
    return transform;
  };
  expect_plan_error(with_radii({2, 2}), {}, {"ellipse", "2 radii", "3 axes"});
  expect_plan_error(with_radii({2, 0, 0}), {}, {"ellipse", "1 axes", "2 or 3"});
  expect_plan_error(with_radii({2, -1, 2}), {}, {"ellipse", "axis 1", "-1"});
  Transform both = with_radii({2, 2, 0});
  both.modes = {Modes::up_to(1), Modes{}, Modes{}};
  expect_plan_error(both, {}, {"axis 0", "one of the two"});
}

TEST(ErrorsTest, KindsThatAnEngineLacks) {
  for (const std::string& engine : engine_names())
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct4, Kind::dst2}) {
      const auto planned = [&] {
        Plan(MPI_COMM_WORLD, {4, 5, 6}, kind,
             options_of("engine_effort=estimate, engine=" + engine));
      };
      const std::optional<std::string> error = message_of(planned);
      if (!error) continue;
      EXPECT_GE(kind, Kind::dct1) << engine << ": " << *error;
      expect_error_everywhere(
          planned, {engine, to_string(kind).substr(0, 3), "engines that have it", "fftw"});
    }
}

// --- how to compute it ---

TEST(ErrorsTest, UnknownNames) {
  expect_plan_error(good, changed([](Options& o) { o.exchange = "pigeon"; }),
                    {"exchange", "pigeon", "alltoallv", "shared"});
  expect_plan_error(good, changed([](Options& o) { o.exchange = ""; }), {"exchange", "alltoallv"});
  expect_plan_error(good, changed([](Options& o) { o.engine = "steam"; }),
                    {"engine", "steam", engine_names().front()});
}

TEST(ErrorsTest, Numbers) {
  expect_plan_error(good, changed([](Options& o) { o.threads = 0; }), {"threads", "0"});
  expect_plan_error(good, changed([](Options& o) { o.threads = -2; }), {"threads", "-2"});
  expect_plan_error(good, changed([](Options& o) { o.producer_chunks = -2; }), {"producer", "-2"});
  expect_plan_error(good, changed([](Options& o) { o.consumer_chunks = -1; }), {"consumer", "-1"});
  expect_plan_error(good, changed([](Options& o) { o.fields = 0; }), {"fields", "0"});
  expect_plan_error(good, changed([](Options& o) { o.count_limit = -5; }), {"count", "-5"});
  expect_plan_error(good, changed([](Options& o) { o.ranks_per_node = -1; }), {"ranks_per_node"});
  expect_plan_error(good, changed([](Options& o) { o.inter_node = "pigeon"; }),
                    {"inter_node", "pigeon", "alltoallv", "pairwise"});
}

TEST(ErrorsTest, Grids) {
  const int ranks = world_ranks();
  const std::string count = std::to_string(ranks);
  const auto with_grid = [](Decomposition decomposition, std::vector<int> grid) {
    return changed([&](Options& o) { o.decomposition = decomposition, o.grid = grid; });
  };
  expect_plan_error(good, with_grid(Decomposition::pencil, {ranks + 1, 1}), {"grid", count});
  expect_plan_error(good, with_grid(Decomposition::pencil, {ranks}), {"grid"});
  expect_plan_error(good, with_grid(Decomposition::pencil, {ranks, 1, 1}), {"grid"});
  expect_plan_error(good, with_grid(Decomposition::pencil, {-ranks, -1}), {"grid", "-1"});
  expect_plan_error(good, with_grid(Decomposition::pencil, {0, ranks}), {"grid", "0"});
  expect_plan_error(good, with_grid(Decomposition::brick, {ranks, 2, 1}), {"grid", count});
  expect_plan_error(good, with_grid(Decomposition::brick, {ranks, 1}), {"grid"});
  expect_plan_error(good, with_grid(Decomposition::slab, {ranks + 1}), {"grid", count});
  expect_plan_error(good, with_grid(Decomposition::slab, {1, ranks}), {"grid"});
  expect_plan_error(Transform({6, 5}, Kind::c2c), with_grid(Decomposition::pencil, {}), {"pencil"});
  // 65536 x 65536 is 0 modulo 2^32.
  expect_plan_error(good, with_grid(Decomposition::pencil, {1 << 16, 1 << 16}), {"grid", "65536"});
}

TEST(ErrorsTest, ActiveRanks) {
  const int ranks = world_ranks();
  const std::string count = std::to_string(ranks);
  for (const int active : {ranks + 1, std::numeric_limits<int>::max()})
    expect_plan_error(good, changed([&](Options& o) { o.active_ranks = active; }),
                      {"active_ranks", std::to_string(active), "1 to the " + count});
  expect_plan_error(good, changed([](Options& o) { o.active_ranks = -2; }), {"active_ranks", "-2"});
  expect_plan_error(good, changed([&](Options& o) {
                      o.active_ranks = 1, o.grid = {ranks, 2};
                    }),
                    {"grid", "1 ranks", "active_ranks"});
  for (const char* text : {"active_ranks=0", "active_ranks=-1", "active_ranks=some"})
    EXPECT_THROW(Options::parse(text), Error) << text;
  for (const char* text : {"active_ranks=auto", "active_ranks=3"})
    EXPECT_EQ(to_string(Options::parse(text)), text);
  EXPECT_EQ(Options::parse("active_ranks=all"), Options());
}

// --- layouts ---

TEST(ErrorsTest, LayoutsForOtherRanksOrShapes) {
  const int ranks = world_ranks();
  const Layout right = Layout::slabs(shape, ranks);
  const std::string count = std::to_string(ranks);
  expect_layout_error(good, Layout::slabs(shape, ranks + 1), right,
                      {"input", std::to_string(ranks + 1), count});
  expect_layout_error(good, right, Layout::slabs(shape, ranks + 2),
                      {"output", std::to_string(ranks + 2), count});
  expect_layout_error(good, Layout::slabs({6, 5, 5}, ranks), right, {"input", "6x5x5", "6x5x4"});
  expect_layout_error(good, right, Layout::slabs({6, 5}, ranks), {"output", "6x5", "6x5x4"});
  // The spectrum of real data is shorter: its layout must be, too.
  expect_layout_error(Transform(shape, Kind::r2c), right, right, {"output", "6x5x3"});
  expect_layout_error(Transform(shape, Kind::c2r), right, right, {"input", "6x5x3"});
}

TEST(ErrorsTest, ALayoutLeftEmptyIsThePlanners) {
  const Layout given = Layout::slabs(shape, world_ranks(), 1).ordered({2, 0, 1});
  EXPECT_EQ(Plan(MPI_COMM_WORLD, good, given, Layout()).input_layout(), given);
  EXPECT_EQ(Plan(MPI_COMM_WORLD, good, Layout(), given).output_layout(), given);
  EXPECT_EQ(Plan(MPI_COMM_WORLD, good, Layout(), Layout()).input_layout(),
            Plan(MPI_COMM_WORLD, good).input_layout());
}

/// The layout that gather_layout makes of boxes that are known only to their own rank.
TEST(ErrorsTest, BoxesGathered) {
  const int ranks = world_ranks(), rank = world_rank();
  const Shape global{4 * ranks, 3};
  const Layout slabs = Layout::slabs(global, ranks);
  Box mine = slabs.box(rank);
  EXPECT_EQ(gather_layout(MPI_COMM_WORLD, global, mine).boxes(), slabs.boxes());
  const auto gathered = [&] { gather_layout(MPI_COMM_WORLD, global, mine); };
  if (is_last_rank()) mine.upper[0] += 1;
  expect_error_everywhere(gathered, {"boxes", "not inside", "rank " + std::to_string(ranks - 1)});
  if (is_last_rank()) mine.upper[0] -= 2;
  expect_error_everywhere(gathered, {"boxes", std::to_string(12 * ranks)});
  if (is_last_rank()) mine = {{0}, {1}};
  expect_error_everywhere(gathered, {"box", "axes", "rank " + std::to_string(ranks - 1)});
  expect_error_everywhere([&] { gather_layout(MPI_COMM_NULL, global, mine); }, {"communicator"});
  if (ranks == 1) return;
  mine = slabs.box(rank);
  if (is_last_rank()) mine.lower[0] -= 1;
  expect_error_everywhere(gathered, {"boxes", "overlap", "rank " + std::to_string(ranks - 1)});
  const Shape other = is_last_rank() ? Shape{4 * ranks, 4} : global;
  expect_error_everywhere([&] { gather_layout(MPI_COMM_WORLD, other, mine); }, {"shape"});
}

TEST(ErrorsTest, BoxesThatAreWrong) {
  const int ranks = world_ranks();
  std::vector<Box> boxes = Layout::slabs({4 * ranks, 3}, ranks).boxes();
  const auto planned = [&] {
    const Layout layout = Layout::boxes({4 * ranks, 3}, boxes);
    Plan(MPI_COMM_WORLD, Transform({4 * ranks, 3}, Kind::c2c), layout, layout);
  };
  planned();
  boxes.back().upper[0] += 1;
  expect_error_everywhere(planned, {"boxes", "not inside"});
  boxes.back().upper[0] -= 2;
  expect_error_everywhere(planned, {"boxes", std::to_string(12 * ranks)});
  if (ranks == 1) return;
  boxes.back().upper[0] += 1;
  boxes.back().lower[0] -= 1;
  expect_error_everywhere(planned, {"boxes", "overlap", "rank " + std::to_string(ranks - 1)});
}

// --- arguments that differ between ranks ---

/// Every such message says which ranks differ, and that all must agree.
void expect_difference(const Transform& transform, const Options& options,
                       std::initializer_list<std::string> values) {
  const std::string last = "rank " + std::to_string(world_ranks() - 1);
  expect_plan_error(transform, options, {last, "rank 0", "all ranks must pass the same"});
  expect_plan_error(transform, options, values);
}

TEST(ErrorsTest, ArgumentsThatDiffer) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  Transform mine = good;
  if (is_last_rank()) mine.shape[1] = 6;
  expect_difference(mine, {}, {"6x5x4", "6x6x4"});
  expect_difference(Transform(shape, is_last_rank() ? Kind::r2c : Kind::c2c), {}, {"r2c"});
  mine = good;
  if (is_last_rank()) mine.precision = Precision::single_;
  expect_difference(mine, {}, {"double", "float"});
  mine = good;
  if (is_last_rank()) mine.scale.rule = Scale::Rule::ortho;
  expect_difference(mine, {}, {"backward", "ortho"});
  mine.scale = {Scale::Rule::number, is_last_rank() ? 2.5 : 3.5};
  expect_difference(mine, {}, {"2.5", "3.5"});
  mine = Transform(shape, Kind::none);
  mine.element_bytes = is_last_rank() ? 4 : 8;
  expect_difference(mine, {}, {"bytes"});
}

TEST(ErrorsTest, OptionsThatDiffer) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  for (const std::string text : {"exchange=alltoallv", "engine=fftw", "decomposition=brick",
                                 "output=natural", "engine_effort=estimate", "producer_chunks=2",
                                 "consumer_chunks=3", "fields=2", "count_limit=100", "arrays=plan"})
    expect_difference(good, is_last_rank() ? options_of(text) : Options(), {text});
}

TEST(ErrorsTest, ModesThatDiffer) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  Transform mine = good;
  if (is_last_rank()) mine.ellipse = {2, 2, 0};
  expect_difference(mine, {}, {"modes"});
}

TEST(ErrorsTest, LayoutsThatDiffer) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const int ranks = world_ranks();
  const Layout usual = Layout::slabs(shape, ranks);
  const std::string same = "all ranks must pass the same";
  for (const Layout& odd : {Layout::slabs(shape, ranks, 1), usual.ordered({2, 1, 0}), Layout(),
                            irregular_boxes(shape, ranks, 1)}) {
    const Layout& mine = is_last_rank() ? odd : usual;
    expect_layout_error(good, mine, usual, {same});
    expect_layout_error(good, usual, mine, {same});
  }
  // The same number of boxes in the same order, but other boxes.
  const Layout mine = irregular_boxes(shape, ranks, is_last_rank() ? 1 : 2);
  expect_layout_error(good, mine, usual, {same});
  // The same grid, cut elsewhere.
  PerAxis<std::vector<Index>> cuts{usual.cuts(0), usual.cuts(1), usual.cuts(2)};
  if (is_last_rank()) cuts[0][1] = 0;
  expect_layout_error(good, usual.cut_at(cuts), usual, {same});
}

TEST(ErrorsTest, MistakesOnOneRank) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const Shape wrong = is_last_rank() ? Shape{6, 0, 4} : shape;
  expect_plan_error(Transform(wrong, Kind::c2c), {}, {"6x0x4"});
  expect_plan_error(is_last_rank() ? Transform() : good, {}, {"no axes"});
  const std::vector<Kind> kinds(is_last_rank() ? 2 : 3, Kind::c2c);
  expect_plan_error(Transform(shape, kinds), {}, {"kinds", "2", "3"});
  expect_error_everywhere(
      [] { Plan(MPI_COMM_WORLD, shape, is_last_rank() ? Kind::none : Kind::c2c); },
      {"kinds", "none", "all ranks must pass the same"});
  const auto only_there = [](auto&& change) {
    return changed([&](Options& o) {
      if (is_last_rank()) change(o);
    });
  };
  expect_plan_error(good, only_there([](Options& o) { o.exchange = "pigeon"; }), {"pigeon"});
  expect_plan_error(good, only_there([](Options& o) { o.engine = "steam"; }), {"steam"});
  expect_plan_error(good, only_there([](Options& o) { o.fields = 0; }), {"fields"});
  expect_plan_error(good, only_there([](Options& o) { o.ranks_per_node = 1; }), {"options"});
  expect_plan_error(good, only_there([](Options& o) { o.threads = 0; }), {"threads"});
  const Layout right = Layout::slabs(shape, world_ranks());
  const Layout too_many = Layout::slabs(shape, world_ranks() + 1);
  expect_layout_error(good, is_last_rank() ? too_many : right, right, {"rank"});
  expect_layout_error(good, right, is_last_rank() ? Layout::slabs({4, 4, 4}, 1) : right,
                      {"output"});
}

TEST(ErrorsTest, PlanningWorksAfterErrors) {
  for (int repeat = 0; repeat < 20; ++repeat)
    expect_plan_error(good, changed([](Options& o) { o.exchange = "pigeon"; }), {"pigeon"});
  Plan plan(MPI_COMM_WORLD, good);
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill([](const Point&) { return 1; });
  plan.forward(in, out);
  out.for_each([](const Point& k, const Complex& mode) {
    EXPECT_NEAR(std::abs(mode - (k == Point{0, 0, 0} ? 120.0 : 0.0)), 0, 1e-12);
  });
}

// --- communicators ---

TEST(ErrorsTest, NoCommunicator) {
  expect_error_everywhere([] { Plan(MPI_COMM_NULL, good); }, {"communicator"});
}

TEST(ErrorsTest, Intercommunicator) {
  if (world_ranks() == 1) GTEST_SKIP() << "an intercommunicator has two sides";
  const int side = world_rank() % 2;
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &between);
  expect_error_everywhere([&] { Plan(between, good); }, {"communicator", "inter"});
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

}  // namespace
}  // namespace weft::test
