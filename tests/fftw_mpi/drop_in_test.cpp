// The drop-in against FFTW: random transforms of each kind against FFTW in one process, local sizes
// against those of libfftw3_mpi where there is one for this MPI.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "drop_in_case.hpp"
#include "real_library_here.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {

void* find_in_real_library(const char* name) {
  static void* const library = [] {
    const char* const file = sizeof(Real) == 8 ? "libfftw3_mpi.so.3" : "libfftw3f_mpi.so.3";
    void* const opened = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const bool fits = opened && dlsym(opened, "PMPI_Send") == dlsym(RTLD_DEFAULT, "PMPI_Send");
    return fits ? opened : nullptr;
  }();
  const std::string prefix = sizeof(Real) == 8 ? "fftw_" : "fftwf_";
  return library ? dlsym(library, (prefix + name).c_str()) : nullptr;
}

namespace {

/// All ranks, all in reverse order, or two halves that transform at the same time.
class SomeCommunicator {
 public:
  explicit SomeCommunicator(int choice) {
    const int rank = world_rank();
    MPI_Comm_split(MPI_COMM_WORLD, choice == 2 ? rank % 2 : 0, choice == 1 ? -rank : rank,
                   &communicator_);
  }
  ~SomeCommunicator() { MPI_Comm_free(&communicator_); }
  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();

/// The real numbers that local_size tells a program to allocate; 0 where it cannot be asked: it
/// knows neither transposed input nor different blocks of the same axis.
std::ptrdiff_t room(const DropInCase& drawn, MPI_Comm communicator) {
  const auto n = drawn.complex_shape();
  const bool transposed_in = drawn.input().cut_axis == 1;
  const bool transposed_out = drawn.output().cut_axis == 1;
  if (transposed_in || (!transposed_out && drawn.input_block != drawn.output_block)) return 0;
  const int axes = static_cast<int>(n.size());
  std::ptrdiff_t parts[4] = {0, 0, 0, 0};
  const auto elements =
      transposed_out ? FFTW(mpi_local_size_many_transposed)(
                           axes, n.data(), drawn.howmany, drawn.input_block, drawn.output_block,
                           communicator, &parts[0], &parts[1], &parts[2], &parts[3])
                     : FFTW(mpi_local_size_many)(axes, n.data(), drawn.howmany, drawn.input_block,
                                                 communicator, &parts[0], &parts[1]);
  if (transposed_out) {
    EXPECT_EQ(parts[2], drawn.output().rows(ranks_of(communicator), rank_of(communicator)));
  }
  return elements * drawn.reals_per_element();
}

/// Runs it twice, on the arrays that it was planned for and on others.
void check(const DropInCase& drawn, std::mt19937& generator, MPI_Comm communicator) {
  SCOPED_TRACE(drawn.name());
  const int ranks = ranks_of(communicator);
  const int rank = rank_of(communicator);
  const std::vector<Real> input = drawn.random_input(generator);
  const std::vector<Real> truth = drawn.truth(input);
  const End from = drawn.input();
  const End to = drawn.output();
  std::ptrdiff_t size = room(drawn, communicator);
  const std::ptrdiff_t needed = std::max(from.local_size(ranks, rank), to.local_size(ranks, rank));
  if (size != 0) {
    EXPECT_GE(size, needed);
  }
  size = std::max(size, needed);

  constexpr std::ptrdiff_t guard = 300;  // numbers behind the room, which no plan may write
  std::vector<std::vector<Real>> arrays(
      4, std::vector<Real>(static_cast<std::size_t>(size + guard), poison));
  Real* const in = arrays[0].data();
  Real* const out = drawn.in_place ? in : arrays[1].data();
  const FFTW(plan) plan = drawn.plan(in, out, communicator);
  ASSERT_NE(plan, nullptr);
  char* const text = FFTW(sprint_plan)(plan);
  EXPECT_EQ(std::string(text).substr(0, 4), "weft") << text;
  std::free(text);
  for (const bool other_arrays : {false, true}) {
    Real* const source = other_arrays ? arrays[2].data() : in;
    Real* const result = !other_arrays ? out : drawn.in_place ? source : arrays[3].data();
    const auto places = from.places(ranks, rank);
    for (const auto& place : places) source[place.local] = input[place.global];
    if (other_arrays)
      FFTW(mpi_execute_r2r)(plan, source, result);
    else
      FFTW(execute)(plan);
    double sums[2] = {0, 0};
    for (const auto& place : to.places(ranks, rank)) {
      const double difference = double{result[place.local]} - double{truth[place.global]};
      sums[0] += difference * difference;
    }
    for (const Real number : truth) sums[1] += double{number} * double{number};
    MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE, MPI_SUM, communicator);
    double points = 1;
    for (const auto length : drawn.shape) points *= 2.0 * static_cast<double>(length + 1);
    const double limit = 5 * std::numeric_limits<Real>::epsilon() * std::sqrt(std::log2(points));
    EXPECT_LE(std::sqrt(sums[0]), limit * std::sqrt(sums[1])) << "other arrays: " << other_arrays;
    if (drawn.in_place) continue;
    for (const auto& place : places)
      ASSERT_EQ(source[place.local], input[place.global]) << "the input has changed";
  }
  FFTW(destroy_plan)(plan);
  for (const std::vector<Real>& array : arrays)
    for (std::ptrdiff_t i = size; i < size + guard; ++i)
      ASSERT_TRUE(std::isnan(array[static_cast<std::size_t>(i)])) << "written behind the room";
}

TEST(DropInTest, ComputesWhatFftwComputes) {
  const long seed = environment_number("WEFT_RANDOM_SEED", new_seed());
  SCOPED_TRACE("WEFT_RANDOM_SEED=" + std::to_string(seed));
  std::mt19937 generator(static_cast<unsigned>(seed));
  const long cases = environment_number("WEFT_RANDOM_CASES", 200);
  for (long number = 0; number < cases && !HasFailure(); ++number) {
    const SomeCommunicator communicator(static_cast<int>(generator() % 3));
    // Blocks that suffice for half of the ranks do for all.
    const DropInCase drawn = DropInCase::random(generator, std::max(1, world_ranks() / 2));
    running(drawn.name());
    check(drawn, generator, communicator.get());
  }
}

/// A function of FFTW-MPI itself; null where there is none.
template <class Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(find_in_real_library(name));
}

/// But for blocks as long as axis 1, where FFTW's answer is not for the plan that it makes.
TEST(DropInTest, AnswersLocalSizesAsFftwDoes) {
  const auto theirs = real(&FFTW(mpi_local_size_many_transposed), "mpi_local_size_many_transposed");
  if (!theirs) GTEST_SKIP() << "no libfftw3_mpi for this MPI";
  std::mt19937 generator(static_cast<unsigned>(new_seed()));
  for (int number = 0; number < 2000 && !HasFailure(); ++number) {
    std::vector<std::ptrdiff_t> n(2 + generator() % 3);
    for (std::ptrdiff_t& length : n) length = 1 + static_cast<std::ptrdiff_t>(generator() % 20);
    const auto howmany = static_cast<std::ptrdiff_t>(1 + generator() % 4);
    const auto draw_block = [&](std::ptrdiff_t length) -> std::ptrdiff_t {
      const std::ptrdiff_t least = (length + world_ranks() - 1) / world_ranks();
      return generator() % 2 ? 0 : least + static_cast<std::ptrdiff_t>(generator() % 5);
    };
    std::ptrdiff_t blocks[2] = {draw_block(n[0]), draw_block(n[1])};
    if (blocks[1] >= n[1]) blocks[1] = 0;
    std::vector<std::ptrdiff_t> expected(5, -1);
    std::vector<std::ptrdiff_t> found(5, -2);
    const auto ask = [&](auto* function, std::vector<std::ptrdiff_t>& answer) {
      answer[0] = function(static_cast<int>(n.size()), n.data(), howmany, blocks[0], blocks[1],
                           MPI_COMM_WORLD, &answer[1], &answer[2], &answer[3], &answer[4]);
    };
    ask(theirs, expected);
    ask(&FFTW(mpi_local_size_many_transposed), found);
    EXPECT_EQ(found, expected) << n[0] << " x " << n[1] << " ... in " << n.size()
                               << " axes, howmany " << howmany << ", blocks " << blocks[0] << " "
                               << blocks[1];
  }
}

/// For plans with transposed output, whatever the block; and enough where it is not transposed.
TEST(DropInTest, LocalSizesWithABlockAsLongAsTheAxisAreThoseOfThePlan) {
  const std::ptrdiff_t n[3] = {6, 5, 4};
  for (const std::ptrdiff_t block : {5, 6, 9}) {
    std::ptrdiff_t parts[4];
    const auto room = FFTW(mpi_local_size_many_transposed)(
        3, n, 1, 0, block, MPI_COMM_WORLD, &parts[0], &parts[1], &parts[2], &parts[3]);
    EXPECT_EQ(parts[2], world_rank() == 0 ? 5 : 0);
    EXPECT_EQ(parts[3], 0);
    EXPECT_GE(room, std::max(parts[0] * 5, 6 * parts[2]) * 4);
    std::ptrdiff_t rows = 0;
    EXPECT_GE(room, FFTW(mpi_local_size_many)(3, n, 1, 0, MPI_COMM_WORLD, &rows, &parts[1]));
    EXPECT_EQ(rows, parts[0]);
  }
}

/// Plans that Weft does not compute still work.
TEST(DropInTest, PassesOnWhatWeftDoesNotCompute) {
  if (!real(&FFTW(mpi_plan_many_r2r), "mpi_plan_many_r2r"))
    GTEST_SKIP() << "no libfftw3_mpi for this MPI";
  std::ptrdiff_t rows = 0, first_row = 0;
  const auto size = FFTW(mpi_local_size_2d)(6, 8, MPI_COMM_WORLD, &rows, &first_row);
  std::vector<Real> in(static_cast<std::size_t>(size), 0);
  std::vector<Real> out(static_cast<std::size_t>(size), poison);
  const FFTW(plan) plan = FFTW(mpi_plan_r2r_2d)(6, 8, in.data(), out.data(), MPI_COMM_WORLD,
                                                FFTW_DHT, FFTW_DHT, FFTW_ESTIMATE);
  ASSERT_NE(plan, nullptr);
  if (first_row == 0 && rows > 0) in[0] = 1;  // an impulse
  FFTW(execute)(plan);
  for (std::ptrdiff_t k = 0; k < rows * 8; ++k)
    EXPECT_NEAR(out[static_cast<std::size_t>(k)], 1, 1e-5);
  FFTW(destroy_plan)(plan);
}

/// A mistake gives no plan, and a sentence that names it.
TEST(DropInTest, NoPlanSaysWhy) {
  Real numbers[8] = {};
  const auto complex_numbers = reinterpret_cast<FFTW(complex)*>(numbers);
  const std::ptrdiff_t n[2] = {4, 0};
  testing::internal::CaptureStderr();
  const FFTW(plan) plan = FFTW(mpi_plan_many_dft)(2, n, -1, 0, 0, complex_numbers, complex_numbers,
                                                  MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(plan, nullptr);
  const bool is_first = world_rank() == 0;
  EXPECT_EQ(said.find("n[1] is 0; valid is 1 or more") != std::string::npos, is_first) << said;
  EXPECT_EQ(said.empty(), !is_first) << said;
}

}  // namespace
}  // namespace weft::test
