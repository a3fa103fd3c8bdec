// FFTW 2's MPI interface on Weft: random transforms against FFTW 3 in one process, in both orders,
// and its forms for C and Fortran. FFTW 2 itself is not needed, so its functions are declared here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "drop_in_case.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

extern "C" {
struct Fftw2Plan;
Fftw2Plan* fftwnd_mpi_create_plan(MPI_Comm, int rank, const int* n, int direction, int flags);
Fftw2Plan* fftw2d_mpi_create_plan(MPI_Comm, int nx, int ny, int direction, int flags);
Fftw2Plan* fftw3d_mpi_create_plan(MPI_Comm, int nx, int ny, int nz, int direction, int flags);
Fftw2Plan* rfftwnd_mpi_create_plan(MPI_Comm, int rank, const int* n, int direction, int flags);
Fftw2Plan* rfftw2d_mpi_create_plan(MPI_Comm, int nx, int ny, int direction, int flags);
Fftw2Plan* rfftw3d_mpi_create_plan(MPI_Comm, int nx, int ny, int nz, int direction, int flags);
void fftwnd_mpi_destroy_plan(Fftw2Plan*);
void rfftwnd_mpi_destroy_plan(Fftw2Plan*);
void fftwnd_mpi_local_sizes(Fftw2Plan*, int*, int*, int*, int*, int*);
void rfftwnd_mpi_local_sizes(Fftw2Plan*, int*, int*, int*, int*, int*);
void fftwnd_mpi(Fftw2Plan*, int fields, void* data, void* work, int order);
void rfftwnd_mpi(Fftw2Plan*, int fields, void* data, void* work, int order);
void fftwnd_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* rank, const int* n,
                                 const int* direction, const int* flags);
void fftw2d_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* nx, const int* ny,
                                 const int* direction, const int* flags);
void fftw3d_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* nx, const int* ny,
                                 const int* nz, const int* direction, const int* flags);
void rfftwnd_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* rank, const int* n,
                                  const int* direction, const int* flags);
void rfftw2d_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* nx, const int* ny,
                                  const int* direction, const int* flags);
void rfftw3d_f77_mpi_create_plan_(Fftw2Plan**, const MPI_Fint*, const int* nx, const int* ny,
                                  const int* nz, const int* direction, const int* flags);
void fftwnd_f77_mpi_destroy_plan_(Fftw2Plan**);
void rfftwnd_f77_mpi_local_sizes_(Fftw2Plan**, int*, int*, int*, int*, int*);
void rfftwnd_f77_mpi_(Fftw2Plan**, const int* fields, void* data, void* work, const int* has_work,
                      const int* order);
}

namespace weft::test {
namespace {

struct Sizes {
  int rows = -1, first_row = -1, columns = -1, first_column = -1, total = -1;
  bool operator==(const Sizes&) const = default;
};

Sizes sizes_of(Fftw2Plan* plan) {
  Sizes sizes;
  fftwnd_mpi_local_sizes(plan, &sizes.rows, &sizes.first_row, &sizes.columns, &sizes.first_column,
                         &sizes.total);
  return sizes;
}

/// A random case of those that FFTW 2 has: in place, in default blocks.
DropInCase random_case(std::mt19937& generator) {
  for (;;) {
    DropInCase drawn = DropInCase::random(generator, world_ranks());
    if (drawn.asked == Asked::r2r || drawn.asked == Asked::transpose) continue;
    drawn.in_place = true;
    drawn.input_block = drawn.output_block = 0;
    drawn.flags &= drawn.asked == Asked::c2r ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
    return drawn;
  }
}

void check(const DropInCase& drawn, std::mt19937& generator) {
  SCOPED_TRACE(drawn.name());
  const int ranks = world_ranks(), rank = world_rank();
  const bool is_real = drawn.asked != Asked::c2c;
  const int direction = drawn.asked == Asked::c2c ? drawn.sign : drawn.asked == Asked::r2c ? -1 : 1;
  const std::vector<int> n(drawn.shape.begin(), drawn.shape.end());
  Fftw2Plan* const plan = (is_real ? rfftwnd_mpi_create_plan : fftwnd_mpi_create_plan)(
      MPI_COMM_WORLD, static_cast<int>(n.size()), n.data(), direction, 0);
  ASSERT_NE(plan, nullptr);
  const Sizes sizes = sizes_of(plan);
  const End from = drawn.input(), to = drawn.output();
  const int fields = static_cast<int>(drawn.howmany);
  const auto room = static_cast<std::ptrdiff_t>(sizes.total) * fields * (is_real ? 1 : 2);
  EXPECT_GE(room, std::max(from.local_size(ranks, rank), to.local_size(ranks, rank)));
  EXPECT_EQ(from.rows(ranks, rank), from.cut_axis == 0 ? sizes.rows : sizes.columns);
  EXPECT_EQ(to.rows(ranks, rank), to.cut_axis == 0 ? sizes.rows : sizes.columns);

  const std::vector<Real> input = drawn.random_input(generator), truth = drawn.truth(input);
  constexpr std::size_t guard = 300;
  std::vector<Real> data(static_cast<std::size_t>(room) + guard,
                         std::numeric_limits<Real>::quiet_NaN());
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (const auto& place : from.places(ranks, rank)) data[place.local] = input[place.global];
    (is_real ? rfftwnd_mpi : fftwnd_mpi)(plan, fields, data.data(), nullptr, drawn.flags != 0);
    double sums[2] = {0, 0}, points = 1;
    for (const auto& place : to.places(ranks, rank))
      sums[0] += std::pow(double{data[place.local]} - double{truth[place.global]}, 2);
    for (const Real number : truth) sums[1] += double{number} * double{number};
    MPI_Allreduce(MPI_IN_PLACE, sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (const auto length : drawn.shape) points *= static_cast<double>(length);
    const double limit =
        5 * std::numeric_limits<Real>::epsilon() * std::sqrt(std::max(1.0, std::log2(points)));
    EXPECT_LE(std::sqrt(sums[0]), limit * std::sqrt(sums[1]));
  }
  for (std::size_t i = 0; i < guard; ++i)
    ASSERT_TRUE(std::isnan(data[static_cast<std::size_t>(room) + i])) << "written behind the room";
  (is_real ? rfftwnd_mpi_destroy_plan : fftwnd_mpi_destroy_plan)(plan);
}

TEST(Fftw2Test, ComputesWhatFftwComputes) {
  const long seed = environment_number("WEFT_RANDOM_SEED", new_seed());
  SCOPED_TRACE("WEFT_RANDOM_SEED=" + std::to_string(seed));
  std::mt19937 generator(static_cast<unsigned>(seed));
  const long cases = environment_number("WEFT_RANDOM_CASES", 60);
  for (long number = 0; number < cases && !HasFailure(); ++number) {
    const DropInCase drawn = random_case(generator);
    running(drawn.name());
    check(drawn, generator);
  }
}

/// Plans of FFTW 2 differ in nothing that programs see but in their sizes.
TEST(Fftw2Test, FormsMakeTheSamePlans) {
  const int n3[] = {6, 5, 4}, reversed3[] = {4, 5, 6}, three = 3, two = 2, forward = -1, flags = 0;
  const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
  const auto of = [](Fftw2Plan* plan) {
    const Sizes sizes = sizes_of(plan);
    fftwnd_f77_mpi_destroy_plan_(&plan);
    return sizes;
  };
  const auto made = [&](auto&& make) {
    Fftw2Plan* plan = nullptr;
    make(&plan);
    return of(plan);
  };
  const Sizes complex3 = of(fftwnd_mpi_create_plan(MPI_COMM_WORLD, 3, n3, -1, 0));
  const Sizes complex2 = of(fftwnd_mpi_create_plan(MPI_COMM_WORLD, 2, n3, -1, 0));
  const Sizes real3 = of(rfftwnd_mpi_create_plan(MPI_COMM_WORLD, 3, n3, -1, 0));
  const Sizes real2 = of(rfftwnd_mpi_create_plan(MPI_COMM_WORLD, 2, n3, -1, 0));
  EXPECT_EQ(of(fftw3d_mpi_create_plan(MPI_COMM_WORLD, 6, 5, 4, -1, 0)), complex3);
  EXPECT_EQ(of(fftw2d_mpi_create_plan(MPI_COMM_WORLD, 6, 5, -1, 0)), complex2);
  EXPECT_EQ(of(rfftw3d_mpi_create_plan(MPI_COMM_WORLD, 6, 5, 4, -1, 0)), real3);
  EXPECT_EQ(of(rfftw2d_mpi_create_plan(MPI_COMM_WORLD, 6, 5, -1, 0)), real2);
  const int nx = 6, ny = 5, nz = 4;
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              fftwnd_f77_mpi_create_plan_(plan, &world, &three, reversed3, &forward, &flags);
            }),
            complex3);
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              fftw3d_f77_mpi_create_plan_(plan, &world, &nz, &ny, &nx, &forward, &flags);
            }),
            complex3);
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              fftw2d_f77_mpi_create_plan_(plan, &world, &ny, &nx, &forward, &flags);
            }),
            complex2);
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              rfftwnd_f77_mpi_create_plan_(plan, &world, &two, reversed3 + 1, &forward, &flags);
            }),
            real2);
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              rfftw3d_f77_mpi_create_plan_(plan, &world, &nz, &ny, &nx, &forward, &flags);
            }),
            real3);
  EXPECT_EQ(made([&](Fftw2Plan** plan) {
              rfftw2d_f77_mpi_create_plan_(plan, &world, &ny, &nx, &forward, &flags);
            }),
            real2);
  EXPECT_EQ(fftwnd_mpi_create_plan(MPI_COMM_WORLD, 1, n3, -1, 0), nullptr);  // as FFTW 2 answers
}

/// Calls from Fortran with a work array, which Weft does not need.
TEST(Fftw2Test, RunsFromFortran) {
  const int nx = 8, ny = 6, nz = 4, forward = -1, backward = 1, flags = 0, one = 1, transposed = 1;
  const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
  Fftw2Plan *there = nullptr, *back = nullptr;
  rfftw3d_f77_mpi_create_plan_(&there, &world, &nz, &ny, &nx, &forward, &flags);
  rfftw3d_f77_mpi_create_plan_(&back, &world, &nz, &ny, &nx, &backward, &flags);
  Sizes sizes;
  rfftwnd_f77_mpi_local_sizes_(&there, &sizes.rows, &sizes.first_row, &sizes.columns,
                               &sizes.first_column, &sizes.total);
  EXPECT_EQ(sizes, sizes_of(there));
  std::vector<Real> data(static_cast<std::size_t>(sizes.total)), work(data.size());
  const auto value = [](std::size_t i) { return static_cast<Real>(std::sin(1.7 * double(i))); };
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = value(i);
  rfftwnd_f77_mpi_(&there, &one, data.data(), work.data(), &one, &transposed);
  rfftwnd_f77_mpi_(&back, &one, data.data(), work.data(), &one, &transposed);
  const int row = 2 * (nz / 2 + 1);
  for (int line = 0; line < sizes.rows * ny; ++line)
    for (int z = 0; z < nz; ++z) {
      const auto at = static_cast<std::size_t>(line * row + z);
      EXPECT_NEAR(data[at] / (nx * ny * nz), value(at), 50 * std::numeric_limits<Real>::epsilon());
    }
  fftwnd_f77_mpi_destroy_plan_(&there);
  fftwnd_f77_mpi_destroy_plan_(&back);
}

}  // namespace
}  // namespace weft::test
