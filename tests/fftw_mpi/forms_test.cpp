// Every short form of FFTW-MPI's functions, and every form for Fortran, against the `many` form
// that it is a case of; and the functions that take plans, by all of their names.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "api.hpp"
#include "problem.hpp"
#include "support/ranks.hpp"

namespace {

std::atomic<int> communicators = 0;

}  // namespace

// Count what is made and not freed: found before MPI's own.
extern "C" int MPI_Comm_dup(MPI_Comm original, MPI_Comm* copy) {
  ++communicators;
  return PMPI_Comm_dup(original, copy);
}
extern "C" int MPI_Comm_split(MPI_Comm original, int color, int key, MPI_Comm* part) {
  const int status = PMPI_Comm_split(original, color, key, part);
  if (*part != MPI_COMM_NULL) ++communicators;
  return status;
}
extern "C" int MPI_Comm_split_type(MPI_Comm original, int type, int key, MPI_Info info,
                                   MPI_Comm* part) {
  const int status = PMPI_Comm_split_type(original, type, key, info, part);
  if (*part != MPI_COMM_NULL) ++communicators;
  return status;
}
extern "C" int MPI_Comm_free(MPI_Comm* communicator) {
  --communicators;
  return PMPI_Comm_free(communicator);
}

namespace weft::fftw {
namespace {

constexpr unsigned estimate = 1U << 6;  // FFTW_ESTIMATE
constexpr Size n[] = {6, 5, 8};
constexpr std::size_t room = 2000;  // more than any of these arrays takes

/// An array, as each function of FFTW takes it: of real numbers or of complex ones.
struct Numbers {
  Real* data;
  operator Real*() const { return data; }
  operator Complex*() const { return reinterpret_cast<Complex*>(data); }
};

/// A planning function with all arguments but the arrays.
using Planner = std::function<PlanPointer(Real* in, Real* out)>;
struct Form {
  const char* name;
  Planner many;
  std::vector<Planner> cases;
};

/// The arguments before the arrays, and those after the communicator.
template <class... Sizes>
auto sizes(Sizes... of_axes) {
  return std::tuple(of_axes...);
}
template <class... Rest>
auto rest(Rest... arguments) {
  return std::tuple(arguments..., estimate);
}

template <class Function, class Communicator, class Sizes, class Rest>
Planner planner(Function* function, Communicator communicator, Sizes sizes, Rest rest) {
  return [=](Real* in, Real* out) {
    const std::tuple arrays(Numbers{in}, Numbers{out}, communicator);
    return std::apply(function, std::tuple_cat(sizes, arrays, rest));
  };
}

/// The same call of a function and of its form for Fortran.
template <class Function, class Fortran, class Sizes, class Rest>
std::vector<Planner> both(Function* function, Fortran* fortran, Sizes sizes, Rest rest) {
  return {planner(function, MPI_COMM_WORLD, sizes, rest),
          planner(fortran, MPI_Comm_c2f(MPI_COMM_WORLD), sizes, rest)};
}

// Each argument list once, whatever the type of the communicator is.
#define WEFT_BOTH(name) &WEFT_FFTW(name), &WEFT_FFTW(name##_f03)

constexpr R2rKind kinds[] = {redft10, rodft01, redft11};
constexpr const R2rKind* all_kinds = kinds;

Planner many_dft(int axes, MPI_Comm communicator = MPI_COMM_WORLD) {
  return planner(&WEFT_FFTW(mpi_plan_many_dft), communicator, sizes(axes, n, 1, 0, 0), rest(-1));
}
Planner many_r2c(int axes) {
  return planner(&WEFT_FFTW(mpi_plan_many_dft_r2c), MPI_COMM_WORLD, sizes(axes, n, 1, 0, 0),
                 rest());
}
Planner many_c2r(int axes) {
  return planner(&WEFT_FFTW(mpi_plan_many_dft_c2r), MPI_COMM_WORLD, sizes(axes, n, 1, 0, 0),
                 rest());
}
Planner many_r2r(int axes) {
  return planner(&WEFT_FFTW(mpi_plan_many_r2r), MPI_COMM_WORLD, sizes(axes, n, 1, 0, 0),
                 rest(all_kinds));
}
Planner many_transpose() {
  return planner(&WEFT_FFTW(mpi_plan_many_transpose), MPI_COMM_WORLD, sizes(6, 5, 1, 0, 0), rest());
}

std::vector<Form> forms() {
  return {
      {"many_dft", many_dft(3), both(WEFT_BOTH(mpi_plan_many_dft), sizes(3, n, 1, 0, 0), rest(-1))},
      {"dft_1d", many_dft(1), both(WEFT_BOTH(mpi_plan_dft_1d), sizes(6), rest(-1))},
      {"dft", many_dft(3), both(WEFT_BOTH(mpi_plan_dft), sizes(3, n), rest(-1))},
      {"dft_2d", many_dft(2), both(WEFT_BOTH(mpi_plan_dft_2d), sizes(6, 5), rest(-1))},
      {"dft_3d", many_dft(3), both(WEFT_BOTH(mpi_plan_dft_3d), sizes(6, 5, 8), rest(-1))},
      {"many_dft_r2c", many_r2c(3),
       both(WEFT_BOTH(mpi_plan_many_dft_r2c), sizes(3, n, 1, 0, 0), rest())},
      {"dft_r2c", many_r2c(3), both(WEFT_BOTH(mpi_plan_dft_r2c), sizes(3, n), rest())},
      {"dft_r2c_2d", many_r2c(2), both(WEFT_BOTH(mpi_plan_dft_r2c_2d), sizes(6, 5), rest())},
      {"dft_r2c_3d", many_r2c(3), both(WEFT_BOTH(mpi_plan_dft_r2c_3d), sizes(6, 5, 8), rest())},
      {"many_dft_c2r", many_c2r(3),
       both(WEFT_BOTH(mpi_plan_many_dft_c2r), sizes(3, n, 1, 0, 0), rest())},
      {"dft_c2r", many_c2r(3), both(WEFT_BOTH(mpi_plan_dft_c2r), sizes(3, n), rest())},
      {"dft_c2r_2d", many_c2r(2), both(WEFT_BOTH(mpi_plan_dft_c2r_2d), sizes(6, 5), rest())},
      {"dft_c2r_3d", many_c2r(3), both(WEFT_BOTH(mpi_plan_dft_c2r_3d), sizes(6, 5, 8), rest())},
      {"many_r2r", many_r2r(3),
       both(WEFT_BOTH(mpi_plan_many_r2r), sizes(3, n, 1, 0, 0), rest(all_kinds))},
      {"r2r", many_r2r(3), both(WEFT_BOTH(mpi_plan_r2r), sizes(3, n), rest(all_kinds))},
      {"r2r_2d", many_r2r(2),
       both(WEFT_BOTH(mpi_plan_r2r_2d), sizes(6, 5), rest(kinds[0], kinds[1]))},
      {"r2r_3d", many_r2r(3),
       both(WEFT_BOTH(mpi_plan_r2r_3d), sizes(6, 5, 8), rest(kinds[0], kinds[1], kinds[2]))},
      {"many_transpose", many_transpose(),
       both(WEFT_BOTH(mpi_plan_many_transpose), sizes(6, 5, 1, 0, 0), rest())},
      {"transpose", many_transpose(), both(WEFT_BOTH(mpi_plan_transpose), sizes(6, 5), rest())},
  };
}

std::vector<Real> some_numbers() {
  std::vector<Real> numbers(room);
  for (std::size_t i = 0; i < room; ++i)
    numbers[i] = static_cast<Real>((i * 7919 + static_cast<std::size_t>(test::world_rank())) % 101);
  return numbers;
}

/// Some numbers, transformed by the plan.
std::vector<Real> result_of(const Planner& planner) {
  std::vector<Real> in = some_numbers(), out(room);
  const PlanPointer plan = planner(in.data(), out.data());
  EXPECT_NE(plan, nullptr);
  if (plan == nullptr) return {};
  std::ranges::copy(some_numbers(), in.begin());  // FFTW may overwrite arrays when it plans
  WEFT_FFTW(execute)(plan);
  WEFT_FFTW(destroy_plan)(plan);
  return out;
}

void expect_one_transform(const Form& form) {
  SCOPED_TRACE(form.name);
  const std::vector<Real> expected = result_of(form.many);
  if (test::world_rank() == 0) {
    EXPECT_NE(expected, std::vector<Real>(room)) << "nothing is computed";
  }
  for (const Planner& one : form.cases) EXPECT_EQ(result_of(one), expected);
}

TEST(DropInFormsTest, PlanWhatTheManyFormsPlan) {
  for (const Form& form : forms()) expect_one_transform(form);
}

/// The answers of a function for sizes: memory, then lengths and starts.
using Sizes = std::vector<Size>;
template <class Function, class Fortran, class Call>
void expect_sizes(const char* name, const Sizes& expected, Function* function, Fortran* fortran,
                  Call call) {
  Sizes answers[2] = {Sizes(5), Sizes(5)};
  answers[0][0] = call(function, MPI_COMM_WORLD, &answers[0][1]);
  answers[1][0] = call(fortran, MPI_Comm_c2f(MPI_COMM_WORLD), &answers[1][1]);
  for (Sizes& answer : answers) {
    answer.resize(expected.size());
    EXPECT_EQ(answer, expected) << name;
  }
}

TEST(DropInFormsTest, AnswerSizesAsTheManyForms) {
  const auto many = [](int axes) {
    Sizes answer(5);
    answer[0] = WEFT_FFTW(mpi_local_size_many_transposed)(
        axes, n, 1, 0, 0, MPI_COMM_WORLD, &answer[1], &answer[2], &answer[3], &answer[4]);
    return answer;
  };
  const auto one_side = [](int axes) {
    Sizes answer(3);
    answer[0] =
        WEFT_FFTW(mpi_local_size_many)(axes, n, 1, 0, MPI_COMM_WORLD, &answer[1], &answer[2]);
    return answer;
  };
  expect_sizes("many_transposed", many(3), WEFT_BOTH(mpi_local_size_many_transposed),
               [](auto f, auto c, Size* a) { return f(3, n, 1, 0, 0, c, a, a + 1, a + 2, a + 3); });
  expect_sizes("transposed", many(3), WEFT_BOTH(mpi_local_size_transposed),
               [](auto f, auto c, Size* a) { return f(3, n, c, a, a + 1, a + 2, a + 3); });
  expect_sizes("2d_transposed", many(2), WEFT_BOTH(mpi_local_size_2d_transposed),
               [](auto f, auto c, Size* a) { return f(6, 5, c, a, a + 1, a + 2, a + 3); });
  expect_sizes("3d_transposed", many(3), WEFT_BOTH(mpi_local_size_3d_transposed),
               [](auto f, auto c, Size* a) { return f(6, 5, 8, c, a, a + 1, a + 2, a + 3); });
  expect_sizes("many", one_side(3), WEFT_BOTH(mpi_local_size_many),
               [](auto f, auto c, Size* a) { return f(3, n, 1, 0, c, a, a + 1); });
  expect_sizes("local_size", one_side(3), WEFT_BOTH(mpi_local_size),
               [](auto f, auto c, Size* a) { return f(3, n, c, a, a + 1); });
  expect_sizes("2d", one_side(2), WEFT_BOTH(mpi_local_size_2d),
               [](auto f, auto c, Size* a) { return f(6, 5, c, a, a + 1); });
  expect_sizes("3d", one_side(3), WEFT_BOTH(mpi_local_size_3d),
               [](auto f, auto c, Size* a) { return f(6, 5, 8, c, a, a + 1); });
  // Rows are cut whatever the output is, and all of the array is dealt out.
  Size rows = many(3)[1];
  MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(rows, n[0]);
  EXPECT_EQ(one_side(3)[1], many(3)[1]);
  Sizes one_axis_sizes(5);
  one_axis_sizes[0] =
      WEFT_FFTW(mpi_local_size_many_1d)(48, 1, MPI_COMM_WORLD, -1, estimate, &one_axis_sizes[1],
                                        &one_axis_sizes[2], &one_axis_sizes[3], &one_axis_sizes[4]);
  expect_sizes(
      "many_1d", one_axis_sizes, WEFT_BOTH(mpi_local_size_many_1d),
      [](auto f, auto c, Size* a) { return f(48, 1, c, -1, estimate, a, a + 1, a + 2, a + 3); });
  expect_sizes("1d", one_axis_sizes, WEFT_BOTH(mpi_local_size_1d), [](auto f, auto c, Size* a) {
    return f(48, c, -1, estimate, a, a + 1, a + 2, a + 3);
  });
}

TEST(DropInFormsTest, PlansAreRunByAnyName) {
  const std::vector<Real> expected = result_of(many_r2c(3));
  std::vector<Real> in = some_numbers(), out(room);
  const PlanPointer plan = many_r2c(3)(in.data(), out.data());
  const auto by = [=](auto* execute) {
    return [=](Numbers from, Numbers to) { execute(plan, from, to); };
  };
  const std::map<std::string, std::function<void(Numbers, Numbers)>> names{
      {"execute_dft", by(&WEFT_FFTW(execute_dft))},
      {"execute_dft_r2c", by(&WEFT_FFTW(execute_dft_r2c))},
      {"execute_dft_c2r", by(&WEFT_FFTW(execute_dft_c2r))},
      {"execute_r2r", by(&WEFT_FFTW(execute_r2r))},
      {"mpi_execute_dft", by(&WEFT_FFTW(mpi_execute_dft))},
      {"mpi_execute_dft_r2c", by(&WEFT_FFTW(mpi_execute_dft_r2c))},
      {"mpi_execute_dft_c2r", by(&WEFT_FFTW(mpi_execute_dft_c2r))},
      {"mpi_execute_r2r", by(&WEFT_FFTW(mpi_execute_r2r))}};
  for (const auto& [name, run] : names) {
    std::vector<Real> source = some_numbers(), result(room);
    run({source.data()}, {result.data()});
    EXPECT_EQ(result, expected) << name;
  }
  WEFT_FFTW(destroy_plan)(plan);
}

TEST(DropInFormsTest, PlansDescribeThemselves) {
  std::vector<Real> in(room), out(room);
  const PlanPointer plan = many_dft(3)(in.data(), out.data());
  char* const text = WEFT_FFTW(sprint_plan)(plan);
  std::FILE* const file = std::tmpfile();
  WEFT_FFTW(fprint_plan)(plan, file);
  std::rewind(file);
  std::string printed(10000, '\0');
  printed.resize(std::fread(printed.data(), 1, printed.size(), file));
  std::fclose(file);
  EXPECT_EQ(printed, text);
  EXPECT_EQ(printed.substr(0, 4), "weft");
  testing::internal::CaptureStdout();
  WEFT_FFTW(print_plan)(plan);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), text);
  std::free(text);
  double additions = -1, multiplications = -1, fused = -1;
  WEFT_FFTW(flops)(plan, &additions, &multiplications, &fused);
  EXPECT_EQ(additions + multiplications + fused, WEFT_FFTW(cost)(plan));
  EXPECT_EQ(WEFT_FFTW(estimate_cost)(plan), WEFT_FFTW(cost)(plan));
  double all = WEFT_FFTW(cost)(plan);
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_NEAR(all, 5 * 240 * std::log2(240), 1e-6);
  WEFT_FFTW(destroy_plan)(plan);
  WEFT_FFTW(destroy_plan)(nullptr);
}

/// FFTW keeps its own wisdom, and plans of Weft outlive its clean-up.
TEST(DropInFormsTest, FftwsOwnStateIsLeftToIt) {
  std::vector<Real> in = some_numbers(), out(room);
  WEFT_FFTW(mpi_init)();
  const PlanPointer plan = many_dft(3)(in.data(), out.data());
  WEFT_FFTW(mpi_gather_wisdom)(MPI_COMM_WORLD);
  WEFT_FFTW(mpi_broadcast_wisdom)(MPI_COMM_WORLD);
  WEFT_FFTW(mpi_gather_wisdom_f03)(MPI_Comm_c2f(MPI_COMM_WORLD));
  WEFT_FFTW(mpi_broadcast_wisdom_f03)(MPI_Comm_c2f(MPI_COMM_WORLD));
  WEFT_FFTW(execute)(plan);
  EXPECT_EQ(out, result_of(many_dft(3)));
  WEFT_FFTW(destroy_plan)(plan);
  WEFT_FFTW(mpi_cleanup)();
  WEFT_FFTW(mpi_init)();
  EXPECT_EQ(out, result_of(many_dft(3)));
}

/// With WEFT_FFTW=check too.
TEST(DropInFormsTest, PlansKeepNoCommunicators) {
  const auto left_by = [](int plans) {
    for (int plan = 0; plan < plans; ++plan) result_of(many_dft(3));
    return communicators.load();
  };
  const int few = left_by(3);
  EXPECT_EQ(left_by(10), few);
}

/// FFTW copies a plan's communicator, so programs free theirs at once.
TEST(DropInFormsTest, NeitherDoPlansWhoseCommunicatorWasFreed) {
  result_of(many_dft(3));
  const int before = communicators;
  std::vector<Real> in = some_numbers(), out(room);
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  const PlanPointer plan = many_dft(3, own)(in.data(), out.data());
  MPI_Comm_free(&own);
  WEFT_FFTW(execute)(plan);
  EXPECT_EQ(out, result_of(many_dft(3)));
  WEFT_FFTW(destroy_plan)(plan);
  EXPECT_EQ(communicators, before);
}

TEST(DropInFormsTest, OnlyKindsWithCounterpartsAreTranslated) {
  const R2rKind known[] = {redft00, rodft11};
  EXPECT_EQ(kinds_of(2, known), (std::vector<Kind>{Kind::dct1, Kind::dst4}));
  for (const int other : {-1, 0, 2, rodft11 + 1, 1000}) {
    const R2rKind unknown[] = {redft00, static_cast<R2rKind>(other)};
    EXPECT_TRUE(kinds_of(2, unknown).empty()) << other;
  }
}

}  // namespace
}  // namespace weft::fftw
