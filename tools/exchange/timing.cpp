// Elements encode their destination, so that the first run of every turn is a test.
#include "exchange/timing.hpp"

#include <fmt/core.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <set>

#include "command.hpp"
#include "exchange/transposers.hpp"
#include "ranks.hpp"

namespace weft::bench {
namespace {

/// A different value at every place: whole numbers, exact up to 2^53.
double entry(Index row, Index column, Index side) {
  return static_cast<double>(row * side + column);
}

Index first_line(const Matrix& matrix) {
  return command::rank_in(matrix.communicator) * matrix.lines();
}

void fill(const Matrix& matrix) {
  double* place = matrix.in;
  const Index first = first_line(matrix);
  for (Index row = first; row < first + matrix.lines(); ++row)
    for (Index column = 0; column < matrix.side; ++column)
      place = std::fill_n(place, matrix.width, entry(row, column, matrix.side));
  std::fill_n(matrix.out, matrix.size(), -1.0);
}

/// True if this rank has the right columns.
bool is_right(const Matrix& matrix, bool keeps_rows) {
  const Index first = first_line(matrix);
  for (Index line = 0; line < matrix.lines(); ++line)
    for (Index row = 0; row < matrix.side; ++row) {
      const Index place = keeps_rows ? row * matrix.lines() + line : line * matrix.side + row;
      const double expected = entry(row, first + line, matrix.side);
      const double* const element = matrix.out + place * matrix.width;
      if (std::count(element, element + matrix.width, expected) != matrix.width) return false;
    }
  return true;
}

/// Runs it once. Throws an Error on all ranks unless every element arrives where it belongs.
void check(const std::string& name, const Matrix& matrix, Transposer& transposer) {
  fill(matrix);
  transposer.run();
  agree(matrix.communicator, [&] {
    if (!is_right(matrix, transposer.keeps_rows()))
      throw Error(fmt::format("{}: the exchange is wrong; please report this", name));
  });
}

/// Resident memory in use: freed memory goes back to the system first, so that the next method does
/// not reuse it and seem to need none.
double bytes_in_use() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return static_cast<double>(command::resident_bytes());
}

/// The first turn of a method also measures its set-up, memory and messages.
void take_turn(Matrix matrix, const Options& options, int samples, Timing& timing) {
  const MPI_Comm communicator = matrix.communicator;
  const bool first = timing.samples.seconds.empty();
  const double before = first ? bytes_in_use() : 0;
  std::unique_ptr<Transposer> transposer;
  double setup_seconds = 0;
  try {
    setup_seconds = seconds_per_step(
        communicator, 1, [&] { transposer = make_transposer(timing.method, options, matrix); });
  } catch (const Error& error) {
    if (!first) throw;
    timing.impossible = error.what();  // planning fails on all ranks or on none
    return;
  }
  check(timing.method, matrix, *transposer);
  if (first) {
    timing.setup_seconds = setup_seconds;
    timing.cost = transposer->cost();
    timing.resident_bytes = largest(communicator, std::max(0.0, bytes_in_use() - before));
  }
  const command::Step step = [&] { transposer->run(); };
  if (timing.steps == 0) timing.steps = command::steps_for(communicator, step);
  for (int number = 0; number < samples; ++number)
    timing.samples.take(communicator, timing.steps, step);
}

}  // namespace

std::vector<Timing> time_exchanges(const Matrix& matrix, const std::vector<std::string>& methods,
                                   const Options& options, const Turns& turns) {
  std::vector<Timing> timings;
  for (const std::string& method : methods)
    timings.push_back({method, matrix.ranks, matrix.side, matrix.width, {}, turns.steps});
  std::vector<command::Step> steps;
  for (Timing& timing : timings)
    steps.emplace_back([&] {
      if (timing.impossible.empty()) take_turn(matrix, options, turns.samples, timing);
    });
  steps.insert(steps.end(), turns.others.begin(), turns.others.end());
  command::take_turns(matrix.communicator, turns.rounds, steps);
  return timings;
}

std::string reasons(const std::vector<Timing>& timings) {
  std::set<std::string> told;
  std::string text;
  for (const Timing& timing : timings) {
    const std::string line = fmt::format("  {} on {} ranks: not here: {}\n", timing.method,
                                         timing.ranks, timing.impossible);
    if (!timing.impossible.empty() && told.insert(line).second) text += line;
  }
  return text;
}

}  // namespace weft::bench
