// A wrong FFT library: FFTW's stand-in errs in one pass on one rank, which the error must name.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <functional>
#include <ostream>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "verify/miniature_fftw.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

/// Its FFTW is that of miniature_fftw.cpp.
Plan plan_of_miniature(Kind kind, const std::string& options = "decomposition=slab") {
  return Plan(MPI_COMM_WORLD, Transform({24, 18, 20}, kind),
              Options::parse("verify=1, exchange=alltoallv, engine=fftw, " + options));
}

struct Engine {
  Kind kind;
  std::string options;
};
void PrintTo(const Engine& engine, std::ostream* out) {
  *out << to_string(engine.kind) << ", " << engine.options;
}

class WrongEngineTest : public testing::TestWithParam<Engine> {
 protected:
  static constexpr int wrong_rank = 1;

  /// The call is right; then its first or last transform on one rank is wrong, then it is right.
  static void expect_blame(const std::function<void()>& call, bool last, const std::string& blame) {
    const int before = miniature_fftw_transforms();
    ASSERT_FALSE(test::message_of(call));
    const int transforms = miniature_fftw_transforms() - before;
    if (test::world_rank() == wrong_rank) miniature_fftw_errs(last ? transforms - 1 : 0, 1);
    const std::string rank = std::to_string(wrong_rank);
    test::expect_error(call, {blame + " on rank " + rank + " (host", "computed a wrong result"});
    EXPECT_FALSE(test::message_of(call)) << "the plan goes on";
  }
};

TEST_P(WrongEngineTest, NamesPassAndRank) {
  const auto& [kind, options] = GetParam();
  Plan plan = plan_of_miniature(kind, options);
  std::vector<double> field(plan.in_place_bytes() / sizeof(double));
  for (std::size_t i = 0; i < field.size(); ++i)
    field[i] = std::sin(0.7 * static_cast<double>(i * i));
  std::vector<double> result(field.size());
  std::vector<Complex> spectrum(plan.in_place_bytes() / sizeof(Complex));
  const std::string last = std::to_string(plan.exchanges().size());
  const auto check = [&](auto* in, auto* out) {
    const auto forward = [&] { plan.forward(in, spectrum.data()); };
    const auto backward = [&] { plan.backward(spectrum.data(), out); };
    expect_blame(forward, false, "forward: pass 0");
    expect_blame(forward, true, "forward: pass " + last);
    expect_blame(backward, false, "backward: pass 0");
    expect_blame(backward, true, "backward: pass " + last);
  };
  if (kind == Kind::r2c)
    check(field.data(), result.data());
  else
    check(reinterpret_cast<Complex*>(field.data()), reinterpret_cast<Complex*>(result.data()));
}

TEST_P(WrongEngineTest, IsNotPlannedWith) {
  if (test::world_rank() == wrong_rank) miniature_fftw_errs(0, -1);
  const auto [kind, options] = GetParam();
  const std::string message = test::error_of(
      [&, which = kind, text = options] { static_cast<void>(plan_of_miniature(which, text)); });
  miniature_fftw_errs(0, 0);
  test::expect_words(message, {"planning with verify: forward: pass 0 on rank 1 (host"});
}

INSTANTIATE_TEST_SUITE_P(Kinds, WrongEngineTest,
                         testing::Values(Engine{Kind::c2c, "decomposition=slab"},
                                         Engine{Kind::c2c, "decomposition=brick"},
                                         Engine{Kind::r2c, "decomposition=slab"},
                                         Engine{Kind::r2c, "decomposition=pencil, in_flight=1"}));

TEST(VerifiedPlanTest, SaysSo) {
  test::expect_words(plan_of_miniature(Kind::c2c).describe(), {"verified: each call is certified"});
}

}  // namespace
}  // namespace weft
