// `weft tune`: looks for the fastest way to compute a transform, shows what it tried, and keeps the
// best as wisdom.
#include <fmt/core.h>

#include <string>
#include <weft/tune.hpp>

#include "command.hpp"
#include "plan_arguments.hpp"
#include "ranks.hpp"
#include "tune/wisdom.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string shape;
  double seconds = 60;
  PlanArguments plan;
};

std::string line_of(const Trial& trial) {
  const std::string measured = trial.failure.empty()
                                   ? fmt::format("{:>9.3f} ms", trial.measured_seconds * 1e3)
                                   : fmt::format("{:>12}", "not here");
  return fmt::format("  {}{:>9.3f} ms   {}\n", measured, trial.predicted_seconds * 1e3,
                     to_string(trial.options));
}

/// Where the best was kept, or why it was not: storing never throws.
std::string kept(const Trial& best) {
  const auto path = wisdom_path();
  if (!path) return "not kept: WEFT_WISDOM says so, or there is no home\n";
  for (const auto& [key, wisdom] : WisdomFolder(*path).read().wisdom)
    if (wisdom.options == to_string(best.options) &&
        wisdom.measured_seconds == best.measured_seconds)
      return fmt::format("kept in {}\n", path->string());
  return fmt::format("not kept: {} could not take it\n", path->string());
}

void run(const Arguments& arguments, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const Transform transform = transform_of(arguments.plan, parse_shape(arguments.shape));
  const auto show = [rank](const std::string& text) {
    if (rank == 0) fmt::print("{}", text);
    if (rank == 0) std::fflush(stdout);
  };
  show(fmt::format("  {:>12}{:>12}   options\n", "measured", "predicted"));
  const auto trials = tune(communicator, transform, options_of(arguments.plan), arguments.seconds,
                           [&](const Trial& trial) { show(line_of(trial)); });
  show(fmt::format("\nThe best of {}:\n{}", trials.size(), line_of(trials.front())));
  if (rank == 0) show(kept(trials.front()));
}

}  // namespace

void add_tune(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "tune",
      "Look for the fastest way to compute a transform on these ranks: whole "
      "transforms are timed,\n"
      "those first that a model of the machine ranks first. The best is kept as "
      "wisdom, from which\n"
      "every later plan of the same transform on as many ranks takes it.",
      run);
  add_shape(command, arguments->shape);
  command.add_positive("--seconds", arguments->seconds, "How long to look, about");
  add_plan_options(command, arguments->plan);
  command.footer(
      "Options that you give are kept, and only the others are tuned: with --exchange p2p, say,\n"
      "those that are best for this method. Plans find wisdom under the options that were asked "
      "for.\n\n"
      "Example:\n  mpiexec -n 8 weft tune 512x512x512 --kind r2c --seconds 120\n");
}

}  // namespace weft::command
