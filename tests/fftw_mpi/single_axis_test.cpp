// Transforms of one axis by the drop-in against FFTW: in natural order against FFTW in one process,
// in scrambled order against libfftw3_mpi where there is one, there and back, and by convolutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>

#include "drop_in_case.hpp"
#include "real_library_here.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

using Size = std::ptrdiff_t;
using Numbers = std::vector<std::complex<Real>>;

constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();
constexpr Size guard = 100;  // numbers behind the room, which no plan may write

/// Some have no factors, or few, or are shorter than the ranks are many.
constexpr Size lengths[] = {1, 2, 3, 6, 12, 22, 30, 49, 97, 202, 1000, 1024};

FFTW(complex) * raw(Numbers& numbers) { return reinterpret_cast<FFTW(complex)*>(numbers.data()); }

Numbers random_numbers(std::mt19937& generator, Size count) {
  std::uniform_real_distribution<Real> value(-1, 1);
  Numbers numbers(static_cast<std::size_t>(count));
  for (auto& number : numbers) number = {value(generator), value(generator)};
  return numbers;
}

/// What a program asks for.
struct Wish {
  Size length = 1;
  int sign = FFTW_FORWARD;
  unsigned orders = 0;
  bool in_place = false;
  Size howmany = 1;

  std::string name() const {
    return std::to_string(length) + " sign " + std::to_string(sign) +
           (orders & FFTW_MPI_SCRAMBLED_IN ? " scrambled in" : "") +
           (orders & FFTW_MPI_SCRAMBLED_OUT ? " scrambled out" : "") +
           (in_place ? " in place" : "") + " of " + std::to_string(howmany);
  }
};

/// FFTW in one process, of a whole array.
Numbers truth(Numbers in, const Wish& wish) {
  Numbers out(in.size());
  const int n = static_cast<int>(wish.length), many = static_cast<int>(wish.howmany);
  const FFTW(plan) plan = FFTW(plan_many_dft)(1, &n, many, raw(in), nullptr, many, 1, raw(out),
                                              nullptr, many, 1, wish.sign, FFTW_ESTIMATE);
  FFTW(execute)(plan);
  FFTW(destroy_plan)(plan);
  return out;
}

/// This rank's parts, in complex numbers.
struct Parts {
  Size room = 0;
  Size input = 0;
  Size input_start = 0;
  Size output = 0;
  Size output_start = 0;

  friend bool operator==(const Parts&, const Parts&) = default;
};

using AskSizes = decltype(&FFTW(mpi_local_size_many_1d));

Parts parts_by(AskSizes ask, const Wish& wish) {
  Parts parts;
  parts.room =
      ask(wish.length, wish.howmany, MPI_COMM_WORLD, wish.sign, wish.orders | FFTW_ESTIMATE,
          &parts.input, &parts.input_start, &parts.output, &parts.output_start);
  return parts;
}

Numbers part_of(const Numbers& whole, Size start, Size length, const Wish& wish) {
  const auto first = whole.begin() + start * wish.howmany;
  return {first, first + length * wish.howmany};
}

using MakePlan = decltype(&FFTW(mpi_plan_many_dft));

/// A plan and its arrays.
class SingleAxis {
 public:
  explicit SingleAxis(const Wish& wish, MakePlan make = &FFTW(mpi_plan_many_dft))
      : wish_(wish),
        parts_(parts_by(&FFTW(mpi_local_size_many_1d), wish)),
        in_(static_cast<std::size_t>(parts_.room + guard), {poison, poison}),
        out_(in_) {
    plan_ = make(1, &wish_.length, wish.howmany, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                 raw(in_), raw(result()), MPI_COMM_WORLD, wish.sign, wish.orders | FFTW_ESTIMATE);
  }
  ~SingleAxis() { FFTW(destroy_plan)(plan_); }
  SingleAxis(const SingleAxis&) = delete;

  const Parts& parts() const { return parts_; }
  bool has_plan() const { return plan_ != nullptr; }

  std::string text() const {
    char* const text = FFTW(sprint_plan)(plan_);
    const std::string copy = text;
    std::free(text);
    return copy;
  }

  /// Transforms this rank's part.
  Numbers run(const Numbers& input) {
    EXPECT_EQ(std::ssize(input), parts_.input * wish_.howmany);
    std::ranges::fill(result(), std::complex<Real>{poison, poison});
    std::ranges::copy(input, in_.begin());
    FFTW(execute)(plan_);
    if (!wish_.in_place) {
      EXPECT_TRUE(std::equal(input.begin(), input.end(), in_.begin())) << "the input has changed";
    }
    const Numbers& out = result();
    EXPECT_TRUE(std::all_of(out.end() - guard, out.end(), [](const auto& number) {
      return std::isnan(number.real());
    })) << "written behind the room";
    return {out.begin(), out.begin() + parts_.output * wish_.howmany};
  }

  /// Of a whole array in natural order.
  Numbers run_on_part_of(const Numbers& whole) {
    return run(part_of(whole, parts_.input_start, parts_.input, wish_));
  }

 private:
  Numbers& result() { return wish_.in_place ? in_ : out_; }

  Wish wish_;
  Parts parts_;
  Numbers in_;
  Numbers out_;
  FFTW(plan) plan_ = nullptr;
};

/// Collective. `transforms`: how many the result has gone through.
void expect_near(const Numbers& found, const Numbers& expected, const Wish& wish,
                 int transforms = 1) {
  ASSERT_EQ(found.size(), expected.size());
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < found.size(); ++i) {
    sums[0] += std::norm(std::complex<double>(found[i]) - std::complex<double>(expected[i]));
    sums[1] += std::norm(std::complex<double>(expected[i]));
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double size = std::max(2.0, static_cast<double>(wish.length));
  const double limit = 5 * std::numeric_limits<Real>::epsilon() * std::sqrt(std::log2(size));
  EXPECT_LE(std::sqrt(sums[0]), transforms * limit * std::sqrt(sums[1]));
}

/// Calls visit(wish) for each length, sign, and with equal and different arrays.
template <class Visit>
void for_each_wish(Visit visit) {
  for (const Size length : lengths)
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD})
      for (const bool in_place : {false, true}) {
        const Wish wish{length, sign, 0, in_place, 1};
        SCOPED_TRACE(wish.name());
        running(wish.name());
        visit(wish);
      }
}

class SingleAxisTest : public testing::Test {
 protected:
  std::mt19937 generator_{static_cast<unsigned>(new_seed())};
};

void expect_truth(const Wish& wish, std::mt19937& generator) {
  const Numbers whole = random_numbers(generator, wish.length * wish.howmany);
  SingleAxis ours(wish);
  ASSERT_TRUE(ours.has_plan());
  EXPECT_EQ(ours.text().substr(0, 4), "weft");
  const Parts& parts = ours.parts();
  const Numbers expected = part_of(truth(whole, wish), parts.output_start, parts.output, wish);
  for (int time = 0; time < 2; ++time) expect_near(ours.run_on_part_of(whole), expected, wish);
}

TEST_F(SingleAxisTest, NaturalOrder) {
  for_each_wish([&](const Wish& wish) { expect_truth(wish, generator_); });
}

TEST_F(SingleAxisTest, AsManyFieldsAsRanks) {
  for_each_wish([&](Wish wish) {
    wish.howmany = world_ranks() + static_cast<Size>(generator_() % 3);
    expect_truth(wish, generator_);
  });
}

/// A pointwise product needs no natural order.
TEST_F(SingleAxisTest, ScrambledOrderIsEnoughForConvolutions) {
  for_each_wish([&](Wish wish) {
    const Numbers a = random_numbers(generator_, wish.length);
    const Numbers b = random_numbers(generator_, wish.length);
    const auto times = [&](Numbers product, const Numbers& other) {
      for (std::size_t i = 0; i < product.size(); ++i)
        product[i] *= other[i] / static_cast<Real>(wish.length);
      return product;
    };
    Wish back = wish;
    back.sign = -wish.sign;
    const Numbers expected = truth(times(truth(a, wish), truth(b, wish)), back);
    wish.orders = FFTW_MPI_SCRAMBLED_OUT;
    back.orders = FFTW_MPI_SCRAMBLED_IN;
    SingleAxis there(wish), and_back(back);
    ASSERT_TRUE(there.has_plan() && and_back.has_plan());
    EXPECT_EQ(there.text().substr(0, 4), "weft");
    EXPECT_EQ(and_back.text().substr(0, 4), "weft");
    const Parts& parts = and_back.parts();
    EXPECT_EQ(there.parts().output, parts.input);
    EXPECT_EQ(there.parts().output_start, parts.input_start);
    const Numbers spectrum = times(there.run_on_part_of(a), there.run_on_part_of(b));
    expect_near(and_back.run(spectrum), part_of(expected, parts.output_start, parts.output, wish),
                wish, 3);
  });
}

/// Points may be scrambled, too, and both ends at a time.
TEST_F(SingleAxisTest, ScrambledAtBothEnds) {
  for_each_wish([&](Wish wish) {
    const Numbers whole = random_numbers(generator_, wish.length);
    const unsigned orders = FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT;
    // Scrambles the input of `wish` by the way back from its true result.
    Wish scrambling{wish.length, -wish.sign, FFTW_MPI_SCRAMBLED_OUT, wish.in_place, 1};
    SingleAxis to_scrambled_input(scrambling);
    wish.orders = orders;
    SingleAxis both(wish);
    wish.orders = FFTW_MPI_SCRAMBLED_OUT;
    SingleAxis to_scrambled_output(wish);
    ASSERT_TRUE(both.has_plan() && to_scrambled_input.has_plan());
    Numbers input = to_scrambled_input.run_on_part_of(truth(whole, wish));
    for (auto& number : input) number /= static_cast<Real>(wish.length);
    expect_near(both.run(input), to_scrambled_output.run_on_part_of(whole), wish, 3);
  });
}

/// So a program may mix plans of both.
TEST_F(SingleAxisTest, ScrambledOrderIsThatOfFftw) {
  const auto make = reinterpret_cast<MakePlan>(find_in_real_library("mpi_plan_many_dft"));
  if (!make) GTEST_SKIP() << "no libfftw3_mpi for this MPI";
  int compared = 0;
  for_each_wish([&](Wish wish) {
    for (const unsigned order : {FFTW_MPI_SCRAMBLED_IN, FFTW_MPI_SCRAMBLED_OUT}) {
      wish.orders = order;
      SingleAxis theirs(wish, make);
      if (!theirs.has_plan()) continue;  // where FFTW does not split the axis
      SingleAxis ours(wish);
      const Numbers input = random_numbers(generator_, ours.parts().input);
      expect_near(ours.run(input), theirs.run(input), wish, 2);
      ++compared;
    }
  });
  EXPECT_EQ(compared > 0, world_ranks() > 1);
}

TEST_F(SingleAxisTest, LocalSizesAreThoseOfFftw) {
  const auto theirs = reinterpret_cast<AskSizes>(find_in_real_library("mpi_local_size_many_1d"));
  if (!theirs) GTEST_SKIP() << "no libfftw3_mpi for this MPI";
  for (Size length = 1; length < 300 && !HasFailure(); ++length)
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD})
      for (const unsigned in : {0U, FFTW_MPI_SCRAMBLED_IN})
        for (const unsigned out : {0U, FFTW_MPI_SCRAMBLED_OUT})
          for (const Size howmany : {1, 2, 5}) {
            const Wish wish{length, sign, in | out, false, howmany};
            EXPECT_EQ(parts_by(&FFTW(mpi_local_size_many_1d), wish), parts_by(theirs, wish))
                << wish.name();
          }
}

/// Where FFTW does, also where some ranks then hold nothing.
TEST_F(SingleAxisTest, AxesAreSplit) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank needs no split";
  for (const Size length : {6, 22, 202, 1000})
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      const std::string text = SingleAxis({length, sign, 0, false, 1}).text();
      EXPECT_NE(text.find("split: axis 0 of " + std::to_string(length)), std::string::npos) << text;
    }
}

/// Each scrambled end saves an exchange.
TEST_F(SingleAxisTest, ExchangesOfSplitAxes) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank needs no split";
  const auto exchanges = [](unsigned orders) {
    const std::string text = SingleAxis({1024, FFTW_FORWARD, orders, false, 1}).text();
    int count = 0;
    for (auto at = text.find("\n  exchange "); at != std::string::npos;
         at = text.find("\n  exchange ", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(exchanges(0), 3);
  EXPECT_EQ(exchanges(FFTW_MPI_SCRAMBLED_IN), 2);
  EXPECT_EQ(exchanges(FFTW_MPI_SCRAMBLED_OUT), 2);
  EXPECT_EQ(exchanges(FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT), 1);
}

}  // namespace
}  // namespace weft::test
