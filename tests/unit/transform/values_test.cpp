// The values of callers: shapes, transforms and options, which parse the text that they print; the
// text of a plan; and the elements of arrays.
#include <gtest/gtest.h>

#include <weft/weft.hpp>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

TEST(ShapeTest, ParsesWhatItPrints) {
  for (const Shape& shape : {Shape{7}, Shape{12, 5}, Shape{1, 1, 1}, Shape{2, 3, 1, 2, 3, 2}})
    EXPECT_EQ(parse_shape(to_string(shape)), shape);
  EXPECT_EQ(to_string(Shape{256, 256, 129}), "256x256x129");
  EXPECT_EQ(volume({256, 256, 129}), 256 * 256 * 129);
}

TEST(ShapeTest, SaysWhatDoesNotParse) {
  for (const std::string text : {"", "x", "12x", "x12", "12xx3", "12x-3", "0x3", "axb", "12 x 3",
                                 "12x3 ", "+3", "1.5", "99999999999999999999", "1x1x1x1x1x1x1x1x1"})
    expect_error([&] { parse_shape(text); }, {"\"" + text + "\""});
}

TEST(ShapeTest, HasEightAxesAtMost) {
  expect_error([] { Shape({1, 2, 3, 4, 5, 6, 7, 8, 9}); }, {"8"});
}

TEST(TransformValueTest, KindsParseWhatTheyPrint) {
  for (Kind kind : {Kind::none, Kind::c2c, Kind::r2c, Kind::c2r, Kind::dct1, Kind::dct2, Kind::dct3,
                    Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4})
    EXPECT_EQ(parse_kind(to_string(kind)), kind);
  expect_error([] { parse_kind("fft"); }, {"fft", "c2c", "dst4"});
}

TEST(TransformValueTest, PrecisionsAndScalesParseWhatTheyPrint) {
  for (Precision precision : {Precision::double_, Precision::single_})
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  expect_error([] { parse_precision("half"); }, {"half", "double", "float"});
  for (const Scale& scale : {Scale{}, Scale{Scale::Rule::ortho}, Scale{Scale::Rule::forward},
                             Scale{Scale::Rule::number, 0.1}, Scale{Scale::Rule::number, -2.5e-7},
                             Scale{Scale::Rule::number, 1.0 / 3}})
    EXPECT_EQ(parse_scale(to_string(scale)), scale) << to_string(scale);
  for (const std::string text : {"", "none", "0", "0.0", "nan", "inf", "1e999", "1.5x"})
    expect_error([&] { parse_scale(text); }, {"\"" + text + "\"", "backward", "ortho", "forward"});
}

TEST(TransformValueTest, AxesAreChosen) {
  const std::vector<Kind> last{Kind::none, Kind::c2c, Kind::r2c};
  EXPECT_EQ(Transform({4, 5, 6}, Kind::r2c, {1, 2}).kinds, last);
  EXPECT_EQ(Transform({4, 5, 6}, Kind::r2c, {-2, -1}).kinds, last);
  EXPECT_EQ(Transform({4, 5, 6}, Kind::r2c, {2, 0}).kinds,
            (std::vector<Kind>{Kind::r2c, Kind::none, Kind::c2c}));
  EXPECT_EQ(Transform({4, 5}, Kind::dct2).kinds, (std::vector<Kind>{Kind::dct2, Kind::dct2}));
  expect_error([] { Transform({4, 5}, Kind::c2c, {2}); }, {"2", "4x5"});
  expect_error([] { Transform({4, 5}, Kind::c2c, {-3}); }, {"-3", "4x5"});
  expect_error([] { Transform({4, 5}, Kind::c2c, {0, -2}); }, {"axis 0", "twice"});
}

TEST(TransformValueTest, KnowsItsSides) {
  const Transform r2c({4, 5, 7}, Kind::r2c, {0, 1});
  EXPECT_EQ(r2c.spectral_shape(), (Shape{4, 3, 7}));
  EXPECT_TRUE(r2c.physical_is_real());
  EXPECT_FALSE(r2c.spectral_is_real());
  EXPECT_EQ(r2c.logical_size(), 20);
  const Transform mixed({4, 5}, {Kind::dct1, Kind::dst1});
  EXPECT_TRUE(mixed.physical_is_real());
  EXPECT_TRUE(mixed.spectral_is_real());
  EXPECT_EQ(mixed.logical_size(), 6 * 12);
  const Transform complex({4, 5}, {Kind::dct2, Kind::c2c});
  EXPECT_FALSE(complex.physical_is_real());
  EXPECT_EQ(complex.logical_size(), 8 * 5);
}

TEST(TransformValueTest, ValidationNamesWhatIsWrong) {
  const Shape shape{4, 1, 6};
  const auto message = [](const Transform& transform) {
    return error_of([&] { validate(transform); });
  };
  validate(Transform(shape, Kind::c2c));
  validate(Transform(shape, std::vector<Kind>(3, Kind::none)));  // redistributes
  expect_words(message(Transform({}, std::vector<Kind>{})), {"shape"});
  expect_words(message(Transform({4, 0}, Kind::c2c)), {"4x0"});
  expect_words(message(Transform(shape, {Kind::c2c, Kind::c2c})), {"kinds", "2", "3"});
  expect_words(message(Transform(shape, {Kind::r2c, Kind::c2c, Kind::r2c})),
               {"r2c", "more than one"});
  expect_words(message(Transform(shape, {Kind::r2c, Kind::c2c, Kind::c2r})),
               {"r2c", "more than one"});
  expect_words(message(Transform(shape, Kind::dct1)), {"dct1", "axis 1", "2"});
  for (double factor : {0.0, 1.0 / 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    Transform transform(shape, Kind::c2c);
    transform.scale = {Scale::Rule::number, factor};
    expect_words(message(transform), {"scale"});
  }
}

TEST(OptionsTest, ParseWhatTheyPrint) {
  Options all;
  all.decomposition = Decomposition::pencil;
  all.grid = {2, 3};
  all.output = OutputLayout::natural;
  all.exchange = exchange_names().back();
  all.engine = engine_names().back();
  all.engine_effort = EngineEffort::patient;
  all.threads = 4;
  all.producer_chunks = 2;
  all.consumer_chunks = 3;
  all.fields = 5;
  all.count_limit = Index{1} << 40;
  EXPECT_EQ(Options::parse(to_string(all)), all) << to_string(all);
  EXPECT_EQ(to_string(Options{}), "auto");
  EXPECT_EQ(Options::parse("auto"), Options{});
  EXPECT_EQ(Options::parse(""), Options{});
}

TEST(OptionsTest, EachSettingAlone) {
  for (auto set : std::vector<void (*)(Options&)>{
           [](Options& o) { o.decomposition = Decomposition::slab; },
           [](Options& o) { o.decomposition = Decomposition::brick; },
           [](Options& o) { o.grid = {7}; },
           [](Options& o) {
             o.grid = {1, 2, 3, 1};
           },
           [](Options& o) { o.output = OutputLayout::natural; },
           [](Options& o) { o.exchange = "alltoallv"; },
           [](Options& o) { o.engine_effort = EngineEffort::estimate; },
           [](Options& o) { o.threads = 2; }, [](Options& o) { o.producer_chunks = 9; },
           [](Options& o) { o.consumer_chunks = 9; }, [](Options& o) { o.fields = 2; },
           [](Options& o) { o.count_limit = 1; }}) {
    Options options;
    set(options);
    EXPECT_NE(to_string(options), "auto");
    EXPECT_EQ(Options::parse(to_string(options)), options) << to_string(options);
  }
}

TEST(OptionsTest, SpacesDoNotMatter) {
  const Options options = Options::parse("  exchange = shared ,grid=2x2,  threads=3 ");
  EXPECT_EQ(options.exchange, "shared");
  EXPECT_EQ(options.grid, (std::vector<int>{2, 2}));
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(Options::parse("exchange=shared/p2p").exchange, "shared/p2p");
}

TEST(OptionsTest, SaysWhatDoesNotParse) {
  expect_error([] { Options::parse("exchnge=shared"); }, {"exchnge", "exchange"});
  for (const char* list : {"shared/", "shared/auto", "/", "p2p/pigeon"})
    expect_error([&] { Options::parse(std::string("exchange=") + list); }, {"exchange"});
  expect_error([] { Options::parse("exchange=pigeon"); }, {"pigeon", "alltoallv", "shared"});
  expect_error([] { Options::parse("engine=steam"); }, {"steam", "fftw"});
  expect_error([] { Options::parse("threads=many"); }, {"threads", "many"});
  expect_error([] { Options::parse("threads"); }, {"threads"});
  expect_error([] { Options::parse("threads=0"); }, {"threads", "0"});
  expect_error([] { Options::parse("grid=2xtwo"); }, {"grid", "two"});
  expect_error([] { Options::parse("decomposition=cube"); }, {"cube", "slab", "pencil", "brick"});
  expect_error([] { Options::parse("output=sideways"); }, {"sideways", "natural", "transposed"});
  expect_error([] { Options::parse("engine_effort=heroic"); }, {"heroic", "estimate", "patient"});
}

TEST(OptionsTest, NamesWhatIsBuilt) {
  const auto exchanges = exchange_names();
  for (const std::string name : {"alltoallv", "shared"})
    EXPECT_EQ(std::count(exchanges.begin(), exchanges.end(), name), 1) << name;
  EXPECT_FALSE(engine_names().empty());
}

TEST(DescribeTest, AnyNumberOfRanks) {
  const Transform transform({64, 48, 40}, Kind::r2c);
  for (int ranks : {1, 2, 7, 64, 1000}) {
    const std::string text = describe(transform, {}, ranks);
    expect_words(text, {"64", std::to_string(ranks)});
  }
  Options pencils;
  pencils.decomposition = Decomposition::pencil;
  pencils.grid = {8, 8};
  pencils.exchange = "alltoallv";
  expect_words(describe(transform, pencils, 64, 4), {"alltoallv", "8"});
}

TEST(DescribeTest, SaysHowRanksShareASingleAxis) {
  const auto text = [](Index length, Kind kind, int ranks) {
    return describe(Transform({length}, kind), {}, ranks);
  };
  EXPECT_NE(text(96, Kind::c2c, 4).find("split: axis 0 of 96"), std::string::npos);
  EXPECT_NE(text(97, Kind::c2c, 4).find("split: none"), std::string::npos);
  EXPECT_NE(text(96, Kind::r2c, 4).find("only c2c"), std::string::npos);
  EXPECT_EQ(text(97, Kind::c2c, 1).find("split:"), std::string::npos);
}

TEST(DescribeTest, RefusesWhatAPlanRefuses) {
  const Transform transform({8, 8, 8}, Kind::c2c);
  expect_error([&] { describe(transform, {}, 0); }, {"ranks"});
  Options wrong;
  wrong.grid = {2, 2};
  wrong.decomposition = Decomposition::pencil;
  expect_error([&] { describe(transform, wrong, 6); }, {"grid", "2x2", "6"});
  expect_error([&] { describe(Transform({4, 1}, Kind::dct1), {}, 2); }, {"dct1"});
}

/// More ranks than any machine has: a description, or a clear error.
TEST(DescribeTest, MoreRanksThanThereAre) {
  const Transform large({8192, 8192, 8192}, Kind::c2c);
  expect_words(describe(large, {}, 1 << 20), {"1048576 ranks", "1024"});
  constexpr int most = std::numeric_limits<int>::max();  // a prime
  expect_words(describe(large, {}, most - 1, 128), {"2147483646 ranks", "42966x1x49981"});
  expect_error([&] { describe(large, {}, most); },
               {"process grid", "2147483647 parts", "at most 4194304"});
  Options chunked;
  chunked.producer_chunks = chunked.consumer_chunks = 1000;
  expect_words(describe(Transform({12, 10, 8}, Kind::c2c), chunked, 2),
               {"chunks 6 (axis 0) x 8 (axis 2)"});
}

TEST(DescribeTest, FewerElementsThanRanks) {
  for (const char* exchange : {"shared", "p2p"})
    for (const Shape& shape : {Shape{5, 3, 2}, Shape{30}, Shape{1, 1, 1}, Shape{1}}) {
      Options options;
      options.exchange = exchange;
      expect_words(describe(Transform(shape, Kind::c2c), options, 64),
                   {"weft plan: " + to_string(shape), "64 ranks"});
    }
}

TEST(ArrayTest, AccessesByGlobalIndex) {
  const Layout layout = Layout::slabs({4, 3, 2}, 2).ordered({2, 0, 1});
  std::vector<double> memory(layout.box(1).volume());
  Array<double> array(std::shared_ptr<void>(std::shared_ptr<void>(), memory.data()), layout.box(1),
                      layout.strides(1));
  array.fill([](const Point& p) { return 100.0 * p[0] + 10.0 * p[1] + p[2]; });
  EXPECT_EQ(array(3, 2, 1), 321);
  EXPECT_EQ(array.at({2, 0, 1}), 201);
  EXPECT_EQ(memory[0], 200);
  EXPECT_EQ(memory[1], 210);
  EXPECT_EQ(memory[3], 300);
  EXPECT_EQ(memory[6], 201);
  EXPECT_EQ(array.span().size(), 12U);
  array = Array<double>(nullptr, {{2, 0, 0}, {2, 3, 2}}, {6, 2, 1});
  array.for_each([](const Point&, double&) { FAIL() << "an empty array has no elements"; });
}

}  // namespace
}  // namespace weft::test
