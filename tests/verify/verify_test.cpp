// Certified results on purpose corrupted: a layer between Weft and MPI alters blocks, and every
// rank must then name the exchange and the ranks of these blocks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "verify/altered_calls.hpp"
#include "verify/corruption.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;
using test::Blocks;
using test::Bytes;
using test::corrupted;
using test::Moment;

/// Slabs of equal parts on 2 and 3 ranks, which pairwise_in_place asks for.
const Shape shape{24, 18, 20};

/// Alike in all modes: what is cut away must exceed the rounding of short wires.
std::vector<Complex> numbers(const Plan& plan) {
  std::vector<Complex> values(plan.in_place_bytes() / sizeof(Complex));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(i) + 0.1 * plan.rank();
    values[i] = {std::sin(0.7 * x * x), std::cos(1.3 * x * x)};
  }
  return values;
}

void flip_sign_of_first(const Blocks& blocks) {
  blocks.front()[sizeof(double) - 1] ^= std::byte{0x80};
}

/// One element of the block becomes its largest one, in other words another one.
void repeat_largest(const Blocks& blocks) {
  auto* const numbers = reinterpret_cast<double*>(blocks.front().data());
  const auto count = static_cast<std::ptrdiff_t>(blocks.front().size() / sizeof(double));
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double largest = *std::max_element(numbers, numbers + count, by_size);
  *std::min_element(numbers, numbers + count, by_size) = largest;
}

/// With every exchange that sends messages.
class VerifyTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int sender = 0, receiver = 1;

  void SetUp() override {
    if (GetParam() == "put" && !test::is_here("put")) GTEST_SKIP() << "no windows here";
  }

  std::string options() const {
    const std::string text = "verify=1, decomposition=slab, exchange=" + GetParam();
    return GetParam() == "two_level" ? text + ", ranks_per_node=1" : text;
  }
  Plan plan(const std::string& more = "", Kind kind = Kind::c2c) const {
    return Plan(MPI_COMM_WORLD, Transform(shape, kind), Options::parse(options() + more));
  }

  static std::string forward(Plan& plan, std::function<void(const Blocks&)> alter) {
    const std::vector<Complex> in = numbers(plan);
    std::vector<Complex> out(in.size());
    return corrupted(sender, {Moment::sending, {receiver}, 0, std::move(alter)},
                     [&] { plan.forward(in.data(), out.data()); });
  }

  /// The first block that arrives.
  static std::string on_arrival(const std::function<void()>& call) {
    return corrupted(receiver, {Moment::arrived, {sender}, 0, repeat_largest}, call);
  }

  static void expect_blame(const std::string& message) {
    test::expect_blame(message, 0, sender, receiver);
  }
};

TEST_P(VerifyTest, FindsEveryBitAboveRounding) {
  Plan plan = this->plan();
  // The largest number of a block: with a small weight, bits from 2^-36 on are within tolerance.
  for (int bit = 63; bit >= 52 - 35; --bit) {
    SCOPED_TRACE(bit);
    expect_blame(forward(plan, [&](const Blocks& blocks) {
      double* const numbers = reinterpret_cast<double*>(blocks.front().data());
      // The largest of the block: flipped bits of zeros and of small numbers are small.
      std::size_t largest = 0;
      for (std::size_t i = 0; i < blocks.front().size() / sizeof(double); ++i)
        if (std::abs(numbers[i]) > std::abs(numbers[largest])) largest = i;
      std::uint64_t word = 0;
      std::memcpy(&word, numbers + largest, sizeof word);
      word ^= std::uint64_t{1} << bit;
      std::memcpy(numbers + largest, &word, sizeof word);
    }));
  }
}

TEST_P(VerifyTest, FindsTwoElementsThatChangedPlaces) {
  Plan plan = this->plan();
  expect_blame(forward(plan, [](const Blocks& blocks) {
    std::byte* const data = blocks.front().data();
    std::swap_ranges(data, data + sizeof(Complex), data + 5 * sizeof(Complex));
  }));
}

TEST_P(VerifyTest, FindsHalvesThatChangedPlaces) {
  Plan plan = this->plan();
  expect_blame(forward(plan, test::exchange_halves));
}

TEST_P(VerifyTest, FindsAMessageCutShort) {
  Plan plan = this->plan();
  expect_blame(forward(plan, [](const Blocks& blocks) {
    std::ranges::fill(blocks.front().last(4 * sizeof(Complex)), std::byte{0});
  }));
}

TEST_P(VerifyTest, FindsItInShortWires) {
  if (GetParam() == "alltoallw" || GetParam() == "pairwise_in_place")
    GTEST_SKIP() << "sends no short wires";
  for (const char* wire : {"float", "bfloat16", "fixed12"}) {
    SCOPED_TRACE(wire);
    Plan plan = this->plan(std::string(", wire=") + wire);
    expect_blame(forward(plan, [](const Blocks& blocks) {
      std::ranges::fill(blocks.front().last(blocks.front().size() / 2), std::byte{0});
    }));
  }
}

TEST_P(VerifyTest, FindsWhatIsAlteredOnArrival) {
  if (GetParam() == "put") GTEST_SKIP() << "the receiver calls nothing";
  Plan plan = this->plan();
  const std::vector<Complex> in = numbers(plan);
  std::vector<Complex> out(in.size());
  expect_blame(on_arrival([&] { plan.forward(in.data(), out.data()); }));
}

TEST_P(VerifyTest, FindsItOnTheWayBack) {
  Plan plan = this->plan();
  const std::vector<Complex> spectrum = numbers(plan);
  std::vector<Complex> out(spectrum.size());
  const std::string message =
      corrupted(sender, {Moment::sending, {receiver}, 0, flip_sign_of_first},
                [&] { plan.backward(spectrum.data(), out.data()); });
  expect_blame(message);
  test::expect_words(message, {"backward:"});
}

TEST_P(VerifyTest, FindsItInRealTransforms) {
  if (GetParam() == "pairwise_in_place") GTEST_SKIP() << "keeps the type";
  Plan plan = this->plan("", Kind::r2c);
  std::vector<double> field;
  for (const Complex& number : numbers(plan))
    field.insert(field.end(), {number.real(), number.imag()});
  std::vector<Complex> spectrum(static_cast<std::size_t>(plan.output_size()));
  expect_blame(corrupted(sender, {Moment::sending, {receiver}, 0, repeat_largest},
                         [&] { plan.forward(field.data(), spectrum.data()); }));
}

TEST_P(VerifyTest, FindsItInTransformsInFlight) {
  Plan plan = this->plan(", fields=2");
  const std::vector<Complex> in = numbers(plan);
  std::array<std::vector<Complex>, 2> out{std::vector<Complex>(in.size()),
                                          std::vector<Complex>(in.size())};
  const auto both = [&] {
    Handle first = plan.start_forward(in.data(), out[0].data());
    Handle second = plan.start_forward(in.data(), out[1].data());
    const auto message = test::message_of([&] { first.wait(); });
    second.wait();
    if (message) throw Error(*message);
  };
  const std::string message =
      corrupted(sender, {Moment::sending, {receiver}, 0, flip_sign_of_first}, both);
  expect_blame(message);
  test::expect_words(message, {"start_forward:"});
}

TEST_P(VerifyTest, NamesTheField) {
  Plan plan = this->plan(", fields=2");
  const std::vector<Complex> values = numbers(plan);
  std::vector<Complex> larger = values;
  for (Complex& value : larger) value *= 1e6;
  std::array<std::vector<Complex>, 2> out{std::vector<Complex>(values.size()),
                                          std::vector<Complex>(values.size())};
  const std::vector<const Complex*> in{values.data(), larger.data()};
  const std::vector<Complex*> results{out[0].data(), out[1].data()};
  for (const int skipped : {0, 1}) {
    SCOPED_TRACE(skipped);
    int altered = -1;  // methods may send either first
    const std::string message =
        corrupted(sender,
                  {Moment::sending,
                   {receiver},
                   skipped,
                   [&](const Blocks& blocks) {
                     const auto* const first = reinterpret_cast<double*>(blocks.front().data());
                     const double size = std::abs(first[0]) + std::abs(first[1]);
                     altered = size > 1e4 ? 1 : 0;
                     repeat_largest(blocks);
                   }},
                  [&] { plan.forward(in, results); });
    MPI_Bcast(&altered, 1, MPI_INT, sender, MPI_COMM_WORLD);
    expect_blame(message);
    test::expect_words(message, {"forward: field " + std::to_string(altered)});
  }
}

TEST_P(VerifyTest, FindsItWhilePlanning) {
  // Later transforms of planning fill other fields' places and lead back.
  for (const int skipped : {0, 1, 5}) {
    SCOPED_TRACE(skipped);
    const std::string message = corrupted(
        sender, {Moment::sending, {receiver}, skipped, repeat_largest}, [&] { this->plan(); });
    expect_blame(message);
    test::expect_words(message, {"planning with verify:"});
  }
}

INSTANTIATE_TEST_SUITE_P(Exchanges, VerifyTest,
                         testing::Values("alltoall", "alltoallv", "alltoallw", "p2p", "pairwise",
                                         "put", "persistent", "gather", "scatter", "two_level",
                                         "pairwise_in_place"),
                         [](const auto& info) { return info.param; });

// ---- Blocks of several ranks

void change_places(const Blocks& blocks) {
  std::swap_ranges(blocks[0].begin(), blocks[0].end(), blocks[1].begin());
}

class SwappedBlocksTest : public testing::TestWithParam<std::pair<std::string, Moment>> {};

TEST_P(SwappedBlocksTest, AreFound) {
  if (test::world_ranks() != 3) GTEST_SKIP() << "needs 3 ranks";
  const auto& [exchange, moment] = GetParam();
  Plan plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c),
            Options::parse("verify=1, decomposition=slab, exchange=" + exchange));
  const std::vector<Complex> in = numbers(plan);
  std::vector<Complex> out(in.size());
  const std::string message = corrupted(0, {moment, {1, 2}, 0, change_places},
                                        [&] { plan.forward(in.data(), out.data()); });
  test::expect_words(message,
                     {"the data of exchange 0",
                      moment == Moment::sending ? "from rank 0 (host" : "to rank 0 (host"});
  EXPECT_NE(message.find("rank 1 (host") == std::string::npos,
            message.find("rank 2 (host") == std::string::npos)
      << message;
}

INSTANTIATE_TEST_SUITE_P(
    Exchanges, SwappedBlocksTest,
    testing::Values(std::pair{"alltoall", Moment::sending}, std::pair{"alltoallv", Moment::sending},
                    std::pair{"alltoallw", Moment::sending}, std::pair{"scatter", Moment::sending},
                    std::pair{"p2p", Moment::arrived}, std::pair{"pairwise", Moment::arrived},
                    std::pair{"persistent", Moment::arrived}, std::pair{"gather", Moment::arrived}),
    [](const auto& info) { return info.param.first; });

TEST(TwoLevelVerifyTest, NamesRanksBehindTheLeader) {
  if (test::world_ranks() != 3) GTEST_SKIP() << "needs 3 ranks";
  Plan plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c),
            Options::parse("verify=1, decomposition=slab, exchange=two_level, ranks_per_node=2"));
  const std::vector<Complex> in = numbers(plan);
  std::vector<Complex> out(in.size());
  const auto forward = [&] { plan.forward(in.data(), out.data()); };
  // Rank 0 leads ranks 0 and 1: what it sends begins with its own block.
  test::expect_blame(corrupted(0, {Moment::sending, {2}, 0, flip_sign_of_first}, forward), 0, 0, 2);
  test::expect_blame(
      corrupted(0,
                {Moment::sending,
                 {2},
                 0,
                 [](const Blocks& blocks) { blocks.front().back() ^= std::byte{0x80}; }},
                forward),
      0, 1, 2);
}

}  // namespace
}  // namespace weft
