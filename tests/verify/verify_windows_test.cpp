// Data in windows are altered where they lie: there are no messages. A rank alters its own memory
// when the others have filled it and it has read nothing yet, and the error must name both ends.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include <weft/plan.hpp>

#include "verify/altered_calls.hpp"
#include "verify/miniature_fftw.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;
using test::Bytes;
using Field = std::vector<Complex>;

/// The data to be altered are that much larger than others, by which they are recognised.
constexpr double large = 1e6;

/// By address: windows come and go.
using Copies = std::map<const std::byte*, std::vector<std::byte>>;

Copies copies_of(const std::vector<Bytes>& memory) {
  Copies copies;
  for (const Bytes part : memory) copies[part.data()].assign(part.begin(), part.end());
  return copies;
}

/// Flips the sign of the largest number among those that have changed, if one has. Of what else
/// changes nothing looks like a number of that size.
bool alter_largest(const std::vector<Bytes>& memory, const Copies& before) {
  double largest = 1e-3;
  std::byte* place = nullptr;
  for (const Bytes part : memory) {
    const auto copy = before.find(part.data());
    const bool is_known = copy != before.end() && copy->second.size() == part.size();
    for (std::size_t i = 0; i + sizeof(double) <= part.size(); i += sizeof(double)) {
      if (is_known && std::memcmp(&part[i], &copy->second[i], sizeof(double)) == 0) continue;
      double number = 0;
      std::memcpy(&number, &part[i], sizeof number);
      if (!(std::abs(number) > largest) || std::abs(number) > 1e4 * large) continue;
      largest = std::abs(number);
      place = &part[i];
    }
  }
  if (place == nullptr) return false;
  place[sizeof(double) - 1] ^= std::byte{0x80};
  return true;
}

// ---- Within a call

/// How many ranks have run their first pass and wait: in memory of the node.
std::atomic<int>* waiting = nullptr;
bool waits_next = false;  // of this rank
Copies before;            // its windows

void yield() {
  static const auto next = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "sched_yield"));
  next();
}

void alter_when_others_wait() {
  while (*waiting < test::world_ranks() - 1) yield();
  EXPECT_TRUE(alter_largest(test::own_window_memory(), before)) << "nothing arrived";
}

/// The owner runs its first pass when the others already wait for it, and alters what they have
/// written.
std::string altered_in(const std::function<void()>& call, int owner) {
  MPI_Win window;
  const MPI_Aint bytes = test::world_rank() == 0 ? sizeof(std::atomic<int>) : 0;
  void* own = nullptr;
  PMPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(window, 0, &size, &unit, &own);
  waiting = static_cast<std::atomic<int>*>(own);
  if (test::world_rank() == 0) *waiting = 0;
  before = copies_of(test::own_window_memory());
  MPI_Barrier(MPI_COMM_WORLD);
  miniature_fftw_pauses(test::world_rank() == owner ? alter_when_others_wait
                                                    : [] { waits_next = true; });
  std::string message = test::error_of(call);
  waits_next = false;
  PMPI_Win_free(&window);
  return message;
}

class SharedVerifyTest : public testing::TestWithParam<std::string> {
 protected:
  /// two_level has the leader's window only, which holds blocks for others as well.
  int owner() const { return GetParam() != "two_level" ? test::world_ranks() - 1 : 0; }
  int writer() const { return GetParam() != "two_level" ? 0 : test::world_ranks() - 1; }

  void SetUp() override {
    if (!test::on_one_node()) GTEST_SKIP() << "needs common memory";
  }

  Plan plan() const {
    return Plan(MPI_COMM_WORLD, Transform({24, 18, 20}, Kind::c2c),
                Options::parse("verify=1, fields=2, decomposition=slab, engine=fftw, exchange=" +
                               GetParam()));
  }
  Field numbers(const Plan& plan, double size = 1) const {
    Field values(plan.in_place_bytes() / sizeof(Complex));
    if (test::world_rank() == writer()) size *= large;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::polar(size, static_cast<double>(i * i) + 0.1 * test::world_rank());
    return values;
  }

  void expect_blame(const std::string& message, const std::string& call, int exchange = 0) const {
    test::expect_words(
        message, {call, "the data of exchange " + std::to_string(exchange) + " (" + GetParam() +
                            ") from rank " + std::to_string(writer()) + " (host"});
    if (GetParam() != "two_level")
      test::expect_words(message, {"to rank " + std::to_string(owner()) + " (host"});
  }
  void check(const std::function<void()>& call, const std::string& name) const {
    SCOPED_TRACE(name);
    expect_blame(altered_in(call, owner()), name);
    EXPECT_FALSE(test::message_of(call)) << "the plan goes on";
  }
  /// Fields whose blocks arrive before the owner's first pass. `push` starts the blocks of later
  /// fields when those of the earlier have arrived; `shared` scatters them in the pass itself.
  std::size_t fields_of_first_pass() const { return GetParam() != "push" ? 2 : 1; }

  /// Other data than those of the last call, which may lie in the windows still.
  static void turn(Field& field) {
    for (Complex& value : field) value *= Complex{0.6, 0.8};
  }
};

TEST_P(SharedVerifyTest, FindsItInEveryCall) {
  Plan plan = this->plan();
  Field in = numbers(plan);
  std::array<Field, 2> out{in, in};
  const std::array<Complex*, 2> outs{out[0].data(), out[1].data()};
  const LineFunction<Complex> nothing = [](const SpectrumLine<Complex>&) {};
  const auto check_next = [&](const std::function<void()>& call, const std::string& name) {
    turn(in);
    check(call, name);
  };
  check_next([&] { plan.forward(in.data(), outs[0]); }, "forward:");
  check_next([&] { plan.backward(in.data(), outs[0]); }, "backward:");
  check_next([&] { plan.start_forward(in.data(), outs[0]).wait(); }, "start_forward:");
  check_next([&] { plan.apply<Complex>(in.data(), outs[0], nothing); }, "apply:");
  check_next([&] { plan.apply<Complex>(in.data(), outs, {nothing, nothing}); }, "apply:");
}

TEST_P(SharedVerifyTest, NamesTheField) {
  Plan plan = this->plan();
  for (std::size_t field = 0; field < fields_of_first_pass(); ++field) {
    std::array<Field, 2> in{numbers(plan), numbers(plan)}, out = in;
    for (Complex& value : in[field]) value *= 100;
    turn(in[field]);
    check([&] { plan.forward(in, out); }, "forward: field " + std::to_string(field));
    for (Field& one : in) turn(one);
    check([&] { plan.backward(in, out); }, "backward: field " + std::to_string(field));
  }
}

TEST_P(SharedVerifyTest, FindsItWhilePlanning) {
  const std::string message = altered_in([&] { static_cast<void>(this->plan()); }, owner());
  test::expect_words(message,
                     {"planning with verify: forward: the data of exchange 0 (",
                      GetParam() != "two_level" ? "to rank " + std::to_string(owner()) : ""});
}

INSTANTIATE_TEST_SUITE_P(Exchanges, SharedVerifyTest,
                         testing::Values("shared", "push", "two_level"),
                         [](const auto& info) { return info.param; });

// ---- What peers deliver into the plan's array

class DeliveryTest : public testing::TestWithParam<std::string> {
 protected:
  /// Starts the transform on one rank after the other. The last one finds all that it needs, and so
  /// delivers into the array of the first, which has read nothing yet.
  template <class Start>
  static std::string message_of(Array<Complex>& result, Start&& start) {
    result.fill([](const Point&) { return 1; });
    Handle handle;
    for (int rank = 0; rank < test::world_ranks(); ++rank) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == test::world_rank()) handle = start();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const auto bytes = std::as_writable_bytes(result.span());
    EXPECT_TRUE(test::world_rank() != 0 || alter_largest({bytes}, {})) << "nothing was delivered";
    MPI_Barrier(MPI_COMM_WORLD);
    return test::error_of([&] { handle.wait(); });
  }
};

TEST_P(DeliveryTest, IsVerified) {
  if (!test::on_one_node()) GTEST_SKIP() << "needs common memory";
  Plan plan(MPI_COMM_WORLD, Transform({24, 18, 20}, Kind::c2c),
            Options::parse("verify=1, exchange=shared, " + GetParam()));
  const auto value = [](const Point& point) {
    const auto turn = static_cast<double>(point[0] + 5 * point[1] * point[2]);
    return std::polar(test::is_last_rank() ? large : 2, turn);
  };
  Array<Complex> field = plan.input<Complex>(), spectrum = plan.output<Complex>();
  const std::string place = "the data of exchange " + std::to_string(plan.exchanges().size() - 1) +
                            " (shared) from rank " + std::to_string(test::world_ranks() - 1) +
                            " (host";
  field.fill(value);
  test::expect_words(message_of(spectrum, [&] { return plan.start_forward(field, spectrum); }),
                     {"start_forward: " + place, "to rank 0 (host"});
  spectrum.fill(value);
  test::expect_words(message_of(field, [&] { return plan.start_backward(spectrum, field); }),
                     {"start_backward: " + place, "to rank 0 (host"});
  EXPECT_FALSE(test::message_of([&] { plan.forward(field, spectrum); })) << "the plan goes on";
}

INSTANTIATE_TEST_SUITE_P(Routes, DeliveryTest,
                         testing::Values("decomposition=slab", "decomposition=slab, arrays=plan",
                                         "decomposition=slab, output=natural"),
                         [](const auto& info) { return "route_" + std::to_string(info.index); });

}  // namespace
}  // namespace weft

/// Weft calls this while it waits, and only after its first pass where there are no messages.
extern "C" int sched_yield() noexcept {
  if (std::exchange(weft::waits_next, false)) ++*weft::waiting;
  weft::yield();
  return 0;
}
