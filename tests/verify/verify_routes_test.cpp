// Altered messages in every exchange of a route, in every kind of call: whatever the decomposition,
// the elements and the methods, the error must name the exchange and the two ranks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>
#include <weft/plan.hpp>
#include <weft/request.hpp>

#include "verify/altered_calls.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;
using Sequence = std::vector<int>;

/// The exchanges in which one rank sends to another, in the order of these messages: in forward, in
/// backward, and in both halves of apply, which leaves out what only puts the spectrum in order.
struct Pair {
  int sender;
  int receiver;
  Sequence forward;
  Sequence backward;
  Sequence apply_there;
  Sequence apply_back;
};

struct Route {
  std::string name;
  int ranks;  ///< 0: any number
  std::string request;
  std::vector<Pair> pairs;
};
void PrintTo(const Route& route, std::ostream* out) { *out << route.request; }

const std::vector<Route> routes{
    {"pencils",
     4,
     "kind=c2c, decomposition=pencil, grid=2x2, exchange=p2p",
     {{0, 1, {0}, {1}, {0}, {3}},
      {1, 0, {0}, {1}, {0}, {3}},
      {0, 2, {1}, {0}, {1}, {2}},
      {3, 1, {1}, {0}, {1}, {2}}}},
    {"pencils_by_collectives",
     4,
     "kind=r2c, decomposition=pencil, grid=2x2, exchange=alltoallv",
     {{2, 3, {0}, {1}, {0}, {3}}, {2, 0, {1}, {0}, {1}, {2}}}},
    {"bricks",
     4,
     "kind=c2c, decomposition=brick, exchange=pairwise",
     {{0, 1, {0}, {1}, {0}, {3}}, {0, 2, {1}, {0}, {1}, {2}}}},
    {"natural_bricks",
     4,
     "kind=c2c, precision=float, decomposition=brick, output=natural, exchange=alltoallv",
     {{0, 1, {0}, {0, 2}, {0}, {3}}, {0, 2, {1, 2}, {1}, {1}, {2}}}},
    {"natural_slabs",
     0,
     "kind=c2c, decomposition=slab, output=natural, exchange=alltoallv",
     {{0, 1, {0, 1}, {0, 1}, {0}, {1}}, {1, 0, {0, 1}, {0, 1}, {0}, {1}}}},
    {"natural_slabs_persistent",
     0,
     "kind=dct2, decomposition=slab, output=natural, exchange=persistent",
     {{0, 1, {0, 1}, {0, 1}, {0}, {1}}}},
    {"natural_slabs_of_floats",
     0,
     "kind=r2c, precision=float, decomposition=slab, output=natural, exchange=p2p",
     {{1, 0, {0, 1}, {0, 1}, {0}, {1}}}},
    {"two_methods",
     0,
     "kind=c2c, decomposition=slab, output=natural, exchange=p2p/alltoallv",
     {{0, 1, {0, 1}, {0, 1}, {0}, {1}}}},
    {"first_in_windows",
     0,
     "kind=c2c, decomposition=slab, output=natural, exchange=shared/p2p",
     {{0, 1, {1}, {0}, {}, {}}}},
    {"second_in_windows",
     0,
     "kind=c2c, decomposition=slab, output=natural, exchange=p2p/shared",
     {{0, 1, {0}, {1}, {0}, {1}}}},
    {"grid_of_one_row",
     3,
     "kind=c2c, decomposition=pencil, grid=1x3, output=natural, exchange=alltoallw",
     {{2, 1, {0, 1}, {0, 1}, {0}, {1}}}},
    {"grid_of_one_column",
     3,
     "kind=r2c, decomposition=pencil, grid=3x1, output=natural, exchange=p2p",
     {{1, 2, {0, 1}, {0, 1}, {0}, {1}}}},
    {"chunks",
     0,
     "kind=c2c, decomposition=slab, producer_chunks=2, exchange=p2p",
     {{0, 1, {0, 0}, {0, 0}, {0, 0, 0, 0}, {1, 1}}}},
};

Sequence joined(const std::vector<Sequence>& parts) {
  Sequence all;
  for (const Sequence& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

template <class T>
std::vector<T> numbers(Index count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(i) + 0.1 * test::world_rank();
    if constexpr (std::is_floating_point_v<T>)
      values[i] = static_cast<T>(std::sin(0.7 * x * x));
    else
      values[i] = T(Complex{std::sin(0.7 * x * x), std::cos(1.3 * x * x)});
  }
  return values;
}

/// All calls of one plan.
template <class Physical, class Spectral>
class Calls {
 public:
  explicit Calls(const Request& request)
      : plan_(MPI_COMM_WORLD, request.transform, request.options) {}

  void check(const Pair& pair) {
    check(pair, "forward", pair.forward, [&] { plan_.forward(field_, spectrum_); });
    check(pair, "backward", pair.backward, [&] { plan_.backward(spectrum_, result_); });
    check(pair, "apply", joined({pair.apply_there, pair.apply_back}),
          [&] { plan_.template apply<Spectral>(field_, result_, half); });
    check(pair, "apply", joined({pair.apply_there, pair.apply_back, pair.apply_back}), [&] {
      plan_.template apply<Spectral>(field_, results_, std::vector{half, half});
    });
    check(pair, "", joined({pair.forward, pair.forward, pair.backward, pair.backward}), [&] {
      plan_.template apply<Spectral>(std::vector{field_, field_}, results_,
                                     [](const SpectrumLines<Spectral>&) {});
    });
  }

 private:
  /// Alters each message of the call that goes from the one rank to the other.
  void check(const Pair& pair, const std::string& name, const Sequence& exchanges,
             const std::function<void()>& call) {
    for (int skipped = 0; skipped < static_cast<int>(exchanges.size()); ++skipped) {
      SCOPED_TRACE(name + ", message " + std::to_string(skipped) + " from rank " +
                   std::to_string(pair.sender) + " to rank " + std::to_string(pair.receiver));
      const std::string message = test::corrupted(
          pair.sender, {test::Moment::sending, {pair.receiver}, skipped, test::exchange_halves},
          call);
      test::expect_blame(message, exchanges[static_cast<std::size_t>(skipped)], pair.sender,
                         pair.receiver);
      test::expect_words(message, {name});
    }
  }

  const LineFunction<Spectral> half = [](const SpectrumLine<Spectral>& line) {
    for (Spectral& value : line.values) value *= 0.5F;
  };

  Plan plan_;
  std::vector<Physical> field_ = numbers<Physical>(plan_.input_size());
  std::vector<Spectral> spectrum_ = numbers<Spectral>(plan_.output_size());
  std::vector<Physical> result_ = field_;
  std::vector<std::vector<Physical>> results_{2, field_};
};

template <class Physical, class Spectral>
void check(const Request& request, const std::vector<Pair>& pairs) {
  Calls<Physical, Spectral> calls(request);
  for (const Pair& pair : pairs) calls.check(pair);
}

class VerifyRouteTest : public testing::TestWithParam<Route> {};

TEST_P(VerifyRouteTest, NamesTheExchangeInEveryCall) {
  const Route& route = GetParam();
  if (route.ranks != 0 && route.ranks != test::world_ranks())
    GTEST_SKIP() << "needs " << route.ranks << " ranks";
  if (route.request.find("shared") != std::string::npos && !test::on_one_node())
    GTEST_SKIP() << "needs common memory";
  const Request request = Request::parse("shape=24x18x20, verify=1, " + route.request);
  const bool floats = request.transform.precision == Precision::single_;
  const Kind kind = request.transform.kinds.back();
  if (kind == Kind::c2c)
    floats ? check<ComplexFloat, ComplexFloat>(request, route.pairs)
           : check<Complex, Complex>(request, route.pairs);
  else if (kind == Kind::r2c)
    floats ? check<float, ComplexFloat>(request, route.pairs)
           : check<double, Complex>(request, route.pairs);
  else
    check<double, double>(request, route.pairs);
}

INSTANTIATE_TEST_SUITE_P(Routes, VerifyRouteTest, testing::ValuesIn(routes),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft
