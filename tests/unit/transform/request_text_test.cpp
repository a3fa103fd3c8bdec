// A text with what to compute and how: settings find their way by name, and options complete each
// other.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <weft/request.hpp>

#include "support/error_checks.hpp"

namespace weft {
namespace {

TEST(RequestText, SettingsAreSortedByName) {
  const Request request = Request::parse(
      "kind=r2c exchange=p2p shape=6x8x10 norm=ortho grid=2x2, precision=float auto");
  EXPECT_EQ(to_string(request.transform),
            to_string(Transform::parse("shape=6x8x10 kind=r2c precision=float scale=ortho")));
  EXPECT_EQ(request.options, Options::parse("exchange=p2p, grid=2x2"));
}

TEST(RequestText, IsReadAsItsPartsArePrinted) {
  const std::string what = "shape=12x12 kinds=c2c,r2c scale=2.5 modes=-4..4,3 dropped=zero";
  const std::string how = "output=natural, exchange=alltoallv, threads=2, wire=bfloat16";
  const Request request = Request::parse(what + " " + how);
  const Request again =
      Request::parse(to_string(request.transform) + " " + to_string(request.options));
  EXPECT_EQ(to_string(again.transform), to_string(request.transform));
  EXPECT_EQ(again.options, request.options);
  EXPECT_EQ(Request::parse("shape=4 kind=c2c auto").options, Options());
}

TEST(RequestText, NamesWhatIsWrong) {
  const auto error = [](const char* text) { return test::error_of([&] { Request::parse(text); }); };
  test::expect_words(error("shape=4 kind=c2c colour=red"), {"colour=red", "norm", "exchange"});
  test::expect_words(error("shape=4 kind=c2c threads=x"), {"threads=x"});
  test::expect_words(error("shape=4 exchange=p2p"), {"kind"});
  test::expect_words(error("shape=4 kind"), {"kind", "name=value"});
}

TEST(RequestText, ListsMayHaveBlanksBehindCommas) {
  const std::string how = "exchange=p2p, threads=2";
  const std::string what = "shape=12x12 kinds=c2c,r2c modes=-4..4,3";
  const std::string spaced = "shape=12x12, kinds=c2c, r2c modes=-4..4 , 3";
  EXPECT_EQ(to_string(Transform::parse(spaced)), to_string(Transform::parse(what)));
  const Request request = Request::parse(spaced + ", " + how);
  EXPECT_EQ(to_string(request.transform), to_string(Transform::parse(what)));
  EXPECT_EQ(request.options, Options::parse(how));
  EXPECT_EQ(Request::parse("shape=4 kind=c2c, auto").options, Options());
}

TEST(RequestText, AsksForTheNameThatWasMeant) {
  const auto error = [](const char* text) { return test::error_of([&] { Request::parse(text); }); };
  for (const auto& [text, meant] :
       std::map<const char*, const char*>{{"shape=4 kind=c2c exchagne=p2p", "`exchange`"},
                                          {"shape=4 kind=c2c exchange=alltoal", "`alltoall`"},
                                          {"shape=4 kind=c2c output=Natural", "`natural`"},
                                          {"shape=4 kind=c2c THREADS=2", "`threads`"},
                                          {"shape=4 kind=rc2", "`r2c`"},
                                          {"shap=4 kind=r2c", "`shape`"}}) {
    test::expect_words(error(text), {"did you mean ", meant});
    EXPECT_LT(error(text).size(), 80U) << "the list is left out";
  }
  for (const char* text : {"shape=4 kind=dct5", "shape=4 kind=c2c exchange=nonsense",
                           "shape=4 kind=c2c colour=red", "shape=4 kind=c2c device=gpu"})
    EXPECT_EQ(error(text).find("did you mean"), std::string::npos) << "several, none, or another";
}

TEST(OptionsText, SpacesAreCommas) {
  EXPECT_EQ(Options::parse(" exchange = p2p  threads=2 ,output= natural "),
            Options::parse("exchange=p2p,threads=2,output=natural"));
  test::expect_error([] { Options::parse("exchange=p2p threads"); }, {"threads"});
}

TEST(OptionsText, AreCompletedByOthers) {
  const Options program = Options::parse("exchange=p2p, threads=2");
  const Options user = Options::parse("exchange=shared, grid=2x3, output=natural");
  EXPECT_EQ(program.completed_by(user),
            Options::parse("exchange=p2p, threads=2, grid=2x3, output=natural"));
  EXPECT_EQ(program.completed_by(Options()), program);
}

}  // namespace
}  // namespace weft
