// Plans before MPI_Init and after MPI_Finalize are errors; what has been made between them may
// outlive MPI. With an argument, the last rank ends in the middle, and with it the job. A program
// without GoogleTest, which wants to end by itself.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/deliberate_leaks.hpp"

namespace {

using Complex = std::complex<double>;

void expect(bool is_right, const std::string& what) {
  if (is_right) return;
  std::fprintf(stderr, "around_mpi: %s\n", what.c_str());
  std::_Exit(EXIT_FAILURE);
}

void expect_error(const std::string& sentence, const std::function<void()>& work) {
  try {
    work();
  } catch (const weft::Error& error) {
    expect(std::string(error.what()).find(sentence) != std::string::npos, error.what());
    return;
  }
  expect(false, "nothing was thrown where it should be: " + sentence);
}

void make_plan() { weft::Plan(MPI_COMM_WORLD, {8, 8}, weft::Kind::c2c); }

/// `exit` or `throw`, while the others call the plan until they are ended.
[[noreturn]] void end_in_the_middle(const std::string& how) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static weft::Plan plan(MPI_COMM_WORLD, {12, 10, 8}, weft::Kind::c2c);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  for (;;) {
    plan.forward(in, out);
    if (rank + 1 < ranks) continue;
    if (how == "exit") std::exit(EXIT_SUCCESS);
    throw std::runtime_error("nobody catches this");
  }
}

/// A transform that nobody has waited for when MPI ends.
class Forgotten {
 public:
  explicit Forgotten(const std::string& exchange)
      : plan_(MPI_COMM_WORLD, {12, 10, 8}, weft::Kind::c2c,
              weft::Options::parse("exchange=" + exchange)),
        in_(plan_.make_input<Complex>()),
        expected_(plan_.make_output<Complex>()),
        out_(plan_.make_output<Complex>()) {
    in_.fill([](const weft::Point& x) { return Complex(x[0] + 1.0, x[1] - x[2]); });
    plan_.forward(in_, expected_);
    handle_ = plan_.start_forward(in_, out_);
  }
  bool is_finished() {
    handle_.wait();
    return std::ranges::equal(out_.span(), expected_.span());
  }

 private:
  weft::Plan plan_;
  weft::Array<Complex> in_, expected_, out_;
  weft::Handle handle_;
};

}  // namespace

int main(int argc, char** argv) {
  const weft::test::DeliberateLeaks leaks;
  expect_error("MPI is not initialised; call MPI_Init first", make_plan);
  MPI_Init(&argc, &argv);
  if (argc == 2 && argv[1][0] != '-') end_in_the_middle(argv[1]);
  std::optional<weft::Plan> plan(std::in_place, MPI_COMM_WORLD, weft::Shape{12, 10, 8},
                                 weft::Kind::c2c, weft::Options::parse("fields=2"));
  auto in = plan->make_input<Complex>(), out = plan->make_output<Complex>();
  weft::Handle over = plan->start_forward(in, out);
  weft::Handle moved = std::move(over);
  moved.wait();
  weft::Handle handle = plan->start_forward(in, out);
  while (!handle.test()) {
  }
  plan.reset();
  std::vector<std::unique_ptr<Forgotten>> forgotten;
  const bool is_one_node = std::getenv("WEFT_RANKS_PER_NODE") == nullptr;
  for (const char* const exchange : {is_one_node ? "shared" : "two_level", "p2p", "alltoallv"})
    forgotten.push_back(std::make_unique<Forgotten>(exchange));
  std::optional<weft::Plan> late(std::in_place, MPI_COMM_WORLD, weft::Shape{12, 10, 8},
                                 weft::Kind::c2c);
  auto late_in = late->make_input<Complex>(), late_out = late->make_output<Complex>();
  MPI_Finalize();
  const std::string over_now = "MPI_Finalize has been called; plans are made and used before";
  expect_error(over_now, make_plan);
  expect_error(over_now, [&] { late->forward(late_in, late_out); });
  expect_error(over_now, [&] { late->start_backward(late_out, late_in); });
  expect_error(over_now, [&] { late->agree([] {}); });
  double one = 1;
  expect_error(over_now, [&] { late->sum_over_ranks({&one, 1}); });
  late->close();
  handle.wait();
  expect(handle.test() && over.test(), "a handle whose transform is over is in flight");
  for (const auto& one : forgotten)
    expect(one->is_finished(), "a transform in flight was not finished by MPI_Finalize");
  std::puts("around_mpi: passed");
}
