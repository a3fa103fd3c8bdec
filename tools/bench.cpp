// `weft bench`: plans Weft and its rivals, checks that each computes the right result, times them
// in turn, and reports. The forward transform is timed; the check also runs backward.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "bench/candidate.hpp"
#include "bench/check.hpp"
#include "bench/copying.hpp"
#include "bench/measure.hpp"
#include "bench/overlap.hpp"
#include "bench/page.hpp"
#include "bench/product_field.hpp"
#include "bench/report.hpp"
#include "bench/rivals.hpp"
#include "bench/trace.hpp"
#include "bench/weft_candidate.hpp"
#include "command.hpp"
#include "mpi/library_name.hpp"
#include "plan_arguments.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "temporary_file.hpp"

namespace weft::command {
namespace {

using namespace bench;

struct Arguments {
  std::vector<std::string> shapes;
  std::string shape;  // the one whose turn it is
  bool growing = false;
  std::string arrays = "plan";
  int repeats = 20;
  std::vector<std::string> against;
  std::string rival_effort = "patient";
  std::string json;
  std::string trace;
  std::string page;
  bool beside_full = false;
  bool poisson = false;
  bool overlap = false;
  PlanArguments plan;
};

// --- What to measure ----------------------------------------------------------------------------

Problem problem_of(MPI_Comm communicator, const Plan& plan) {
  Problem problem;
  problem.communicator = communicator;
  problem.kinds = plan.transform().kinds;
  problem.input_shape = plan.input_layout().global();
  problem.output_shape = plan.output_layout().global();
  problem.precision = plan.transform().precision;
  problem.real_input = plan.input_is_real();
  problem.real_output = plan.output_is_real();
  problem.transposed = plan.options().output == OutputLayout::transposed;
  problem.threads = plan.options().threads;
  problem.device = plan.options().device;
  return problem;
}

Transform checked_transform(const Arguments& arguments) {
  Transform transform = transform_of(arguments.plan, parse_shape(arguments.shape));
  const auto is_trigonometric = [](Kind kind) { return grid_points(kind, 2).has_walls; };
  if (transform.scale.rule == Scale::Rule::ortho &&
      std::ranges::any_of(transform.kinds, is_trigonometric))
    throw Error(
        "scale ortho: bench cannot check an orthogonal DCT or DST; use backward, which is as fast");
  return transform;
}

/// The same transform with the whole spectrum, in the usual form.
Transform full(Transform transform) {
  transform.modes.clear();
  transform.ellipse.clear();
  transform.dropped = Dropped::absent;
  std::ranges::replace(transform.kinds, Kind::r2c_packed, Kind::r2c);
  return transform;
}

bool compares_exchanges(const Arguments& arguments) { return arguments.plan.exchange == "all"; }

/// The given options, or with --exchange all one copy for each exchange method.
std::vector<Options> variants_of(const Arguments& arguments) {
  if (!compares_exchanges(arguments)) return {options_of(arguments.plan)};
  std::vector<Options> variants;
  PlanArguments plan = arguments.plan;
  for (const std::string& name : all_exchange_names()) {
    plan.exchange = name;
    variants.push_back(options_of(plan));
  }
  return variants;
}

/// There is only one set of the plan's own arrays, so several fields need the user's arrays.
std::vector<Between> arrays_of(const Arguments& arguments) {
  const std::string& name = arguments.arrays;
  if (name == "plan" && variants_of(arguments).front().fields > 1) return {Between::user_arrays};
  if (name == "both") return {Between::plan_arrays, Between::user_arrays};
  if (name == "user") return {Between::user_arrays};
  if (name == "in-place") return {Between::in_place};
  return {Between::plan_arrays};
}

/// Duplicate names count once.
std::vector<PlannedRival> open_rivals(const Arguments& arguments, MPI_Comm communicator) {
  std::vector<PlannedRival> rivals;
  for (const std::string& name : arguments.against)
    if (std::ranges::find(rivals, name, &PlannedRival::name) == rivals.end())
      rivals.push_back(open_rival(name, communicator));
  return rivals;
}

// --- The steps ----------------------------------------------------------------------------------

/// Everything that must live during a measurement.
struct Contest {
  Problem problem;
  std::vector<std::unique_ptr<WeftCandidate>> weft;
  std::vector<PlannedRival> rivals;
  std::unique_ptr<OverlapContest> overlap;
  Report report;
};

void describe_run(const Arguments& arguments, Contest& contest) {
  const Plan& plan = contest.weft.front()->plan();
  const MPI_Comm communicator = contest.problem.communicator;
  Report& report = contest.report;
  report.kind = arguments.plan.kind.empty() ? "c2c" : arguments.plan.kind;
  report.transform = plan.transform();
  report.ranks = contest.problem.ranks();
  report.options = plan.options();
  report.mpi = mpi_name();
  report.engine = plan.engine();
  report.every_exchange = compares_exchanges(arguments);
  report.input_layout = to_string(plan.input_layout());
  report.output_layout = to_string(plan.output_layout());
  report.local_array_bytes = largest(communicator, plan.in_place_bytes());
  report.pass_bytes = sum(plan.pass_bytes(), communicator);
  report.error_bound = allowed_error(contest.problem, plan.options());
}

/// The two ways of solving Poisson's equation.
void add_poisson(const Arguments& arguments, const Transform& transform, Contest& contest,
                 MPI_Comm communicator) {
  if (!arguments.against.empty() || compares_exchanges(arguments))
    throw Error("--poisson: compares two ways of Weft's own, not with --against or all exchanges");
  for (bool fused : {true, false})
    contest.weft.push_back(
        poisson_candidate(communicator, transform, options_of(arguments.plan), fused));
}

/// The transform with every requested method and kind of array.
void add_transforms(const Arguments& arguments, const Transform& transform, Contest& contest,
                    MPI_Comm communicator) {
  std::vector<Transform> transforms{transform};
  if (arguments.beside_full) transforms.push_back(full(transform));
  for (const Options& options : variants_of(arguments))
    for (const Between between : arrays_of(arguments)) {
      try {
        for (const Transform& each : transforms)
          contest.weft.push_back(weft_candidate(communicator, each, options, between));
      } catch (const Error& error) {
        // A method that cannot run here is one result among several.
        if (!compares_exchanges(arguments)) throw;
        contest.report.impossible.push_back(error.what());
      }
    }
  if (contest.weft.empty()) throw Error(contest.report.impossible.front());
}

void prepare_weft(const Arguments& arguments, Contest& contest, MPI_Comm communicator) {
  const Transform transform = checked_transform(arguments);
  if (!is_full(transform) && !arguments.against.empty())
    throw Error("--against: other libraries know the whole spectrum in its usual form alone");
  if (arguments.poisson)
    add_poisson(arguments, transform, contest, communicator);
  else
    add_transforms(arguments, transform, contest, communicator);
  contest.problem = problem_of(communicator, contest.weft.front()->plan());
  contest.problem.patient = arguments.rival_effort == "patient";
  if (arguments.overlap) {
    if (arguments.poisson || compares_exchanges(arguments))
      throw Error("--overlap: looks at one plan, not with --poisson or all exchanges");
    contest.overlap = std::make_unique<OverlapContest>(contest.problem, transform,
                                                       contest.weft.front()->plan().options(),
                                                       arrays_of(arguments).front());
  }
  describe_run(arguments, contest);
}

void check_results(const Arguments& arguments, Contest& contest) {
  if (arguments.poisson) {
    contest.report.weft = check_poisson(contest.problem, contest.weft);
    return;
  }
  for (const auto& candidate : contest.weft)
    contest.report.weft.push_back(
        check_weft(problem_of(contest.problem.communicator, candidate->plan()), *candidate));
  if (contest.rivals.empty()) return;
  const ProductField truth = ProductField::output(contest.problem);
  for (PlannedRival& rival : contest.rivals)
    contest.report.rivals.push_back(check_rival(contest.problem, rival, truth));
}

std::vector<Contestant> contestants_of(Contest& contest) {
  std::vector<Contestant> all;
  const auto add = [&](Candidate& candidate, Result& result) -> Contestant& {
    return all.emplace_back(contestant_of(contest.problem, candidate, result));
  };
  for (std::size_t i = 0; i < contest.weft.size(); ++i)
    add(*contest.weft[i], contest.report.weft[i]).without_communication =
        contest.weft[i]->plan().part(Plan::Part::passes);
  for (std::size_t rival = 0; rival < contest.rivals.size(); ++rival)
    for (std::size_t i = 0; i < contest.rivals[rival].candidates.size(); ++i)
      add(*contest.rivals[rival].candidates[i], contest.report.rivals[rival].results[i]).shortlist =
          static_cast<int>(rival);
  if (!contest.overlap) return all;
  const std::vector<Contestant> beside = contest.overlap->contestants();
  all.insert(all.end(), beside.begin(), beside.end());
  return all;
}

void time_all(const Arguments& arguments, Contest& contest) {
  const Problem& problem = contest.problem;
  const std::unique_ptr<Copying> copying =
      make_copying(problem.communicator, problem.device, problem.threads);
  Times copies;
  std::vector<Contestant> contestants = contestants_of(contest);
  contestants.push_back({&copies, [&] { copying->run(); }});
  measure(problem.communicator, contestants,
          (arguments.repeats + counted_per_block - 1) / counted_per_block);
  contest.report.bandwidth = copying->bytes() / median_of_fastest(copies.samples);
  if (contest.overlap) contest.report.overlap = contest.overlap->evaluate();
}

// --- The outcome --------------------------------------------------------------------------------

void check_accuracy(const Report& report) {
  for (const Result& result : report.weft)
    if (!(result.error <= report.error_bound && result.round_trip_error <= 2 * report.error_bound))
      throw Error(fmt::format(
          "Weft's result is wrong ({}): its relative error is {:.1e} in the spectrum and {:.1e} "
          "there and back, and {:.1e} is allowed; please report this",
          result.how, result.error, result.round_trip_error, report.error_bound));
}

/// The files that the user asked for, in the making; the others have no target.
struct Files {
  Files(const Arguments& arguments, MPI_Comm communicator)
      : json(communicator, arguments.json, 0),
        trace(communicator, arguments.trace, 0),
        page(communicator, arguments.page, 0) {}

  TemporaryFile json, trace, page;
};

/// The trace and the page, which show a single plan.
bool wants_pictures(const Arguments& arguments) {
  return !arguments.trace.empty() || !arguments.page.empty();
}

void write_pictures(Contest& contest, Files& files) {
  const bool tells = rank_in(contest.problem.communicator) == 0;
  WeftCandidate& first = *contest.weft.front();
  const TraceDocument trace = traced(contest.problem, first);
  files.trace.publish_text(trace.text);
  files.page.publish_text(tells ? page_of(contest.report, first.plan(), trace.text) : "");
  if (tells) fmt::print("{}", trace.message);
}

/// For one shape, on all ranks of the communicator.
Report report_of(const Arguments& arguments, MPI_Comm communicator, Files& files) {
  const bool tells = rank_in(communicator) == 0;
  Contest contest;
  contest.rivals = open_rivals(arguments, communicator);
  prepare_weft(arguments, contest, communicator);
  for (PlannedRival& rival : contest.rivals) {
    const Progress progress("planning " + rival.name, 0, communicator);
    rival.plan(contest.problem);
  }
  check_results(arguments, contest);
  time_all(arguments, contest);
  if (tells) fmt::print("{}", to_table(contest.report));
  check_accuracy(contest.report);
  if (wants_pictures(arguments)) write_pictures(contest, files);
  return std::move(contest.report);
}

/// Every shape on every number of ranks.
void run(const Arguments& arguments, MPI_Comm communicator) {
  const int ranks = ranks_in(communicator);
  if (wants_pictures(arguments) &&
      (arguments.shapes.size() > 1 || arguments.growing || compares_exchanges(arguments)))
    throw Error(
        fmt::format("{}: shows one plan; give one shape, and neither --growing nor all exchanges",
                    arguments.trace.empty() ? "--report" : "--trace"));
  // Before measuring, so that an invalid path is found at once and not after minutes.
  Files files(arguments, communicator);
  std::vector<Report> reports;
  for (const int count : arguments.growing ? rank_counts(ranks) : std::vector{ranks})
    for (const std::string& shape : arguments.shapes) {
      Arguments one = arguments;
      one.shape = shape;
      on_first_ranks(communicator, count,
                     [&](MPI_Comm part) { reports.push_back(report_of(one, part, files)); });
    }
  files.json.publish_text(reports.empty() ? "" : to_json(reports));
}

void add_measuring_options(Command command, Arguments& arguments) {
  command.begin_group("What to measure");
  command
      .add("--arrays", arguments.arrays,
           "Between which arrays: plan (the plan's own, which may lie in its shared windows), user "
           "(allocated by the caller), both, or in-place")
      .one_of({"plan", "user", "both", "in-place"})
      .shows_default();
  command.add_positive(
      "--repeats", arguments.repeats,
      "How many transforms count; rounded up to a multiple of 4, since they run in blocks "
      "of 5 with the first dropped");
  add_names(
      command, "--against", arguments.against,
      "A library to run in turn with Weft, at its own best: fftw-mpi, mkl (its cluster FFT; on one "
      "rank also the one without MPI), "
      "cufft (with --device cuda); "
      "may be given twice, or fftw-mpi,mkl. One that this build lacks is reported as such",
      rival_names())
      .repeatable();
  command
      .add("--rival-effort", arguments.rival_effort,
           "patient: FFTW-MPI also looks for minutes for its fastest plan (FFTW_PATIENT); "
           "measure: FFTW_MEASURE alone")
      .one_of({"measure", "patient"})
      .shows_default();
  command.add_flag("--beside-full", arguments.beside_full,
                   "With --modes, --ellipse or r2c_packed: run the same with the whole spectrum in "
                   "turn");
  command.add_flag("--poisson", arguments.poisson,
                   "Measure the solution of Poisson's equation instead: fused (Plan::apply), and "
                   "as forward, a sweep over the spectrum and backward");
  command.add_flag("--overlap", arguments.overlap,
                   "Measure how much of the communication is hidden: beside the transform run the "
                   "same one blocking, its exchanges and its passes alone, and a bare exchange "
                   "beside arithmetic");
  command.add_flag("--growing", arguments.growing,
                   "Run on 2, 4, ... of the ranks and on all of them, in turn");
  add_json(command, arguments.json);
  command
      .add("--trace", arguments.trace,
           "Then run a few transforms more, and write what each rank did when to this "
           "file, for ui.perfetto.dev: of one shape and the first row alone")
      .names_file();
  command
      .add("--report", arguments.page,
           "Write an HTML page with pictures to this file, too: bars beside rivals and "
           "floor, which rank holds what along the route, a timeline of all ranks; of "
           "one shape, with the route and the timeline of the first row")
      .names_file();
}

}  // namespace

void add_bench(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "bench",
      "Measure the speed of a transform on random data, check its result, and compare it with\n"
      "how fast memory is and with other libraries.",
      run);
  command
      .add("SHAPE", arguments->shapes,
           "The array's shape, 256x256x256 say; or several, to run in turn")
      .required();
  add_measuring_options(command, *arguments);
  add_plan_options(command, arguments->plan);
  command.option("--exchange").adds_to_description("; or all, to run every one in turn");
  command.footer(
      "\"x floor\" is the time over that of copying as many bytes as the passes must move; "
      "\"comm.\"\n"
      "is the share of the time that vanishes when each rank's results stay in its own memory.\n\n"
      "Example: a real field on two ranks beside FFTW-MPI\n"
      "  mpiexec -n 2 weft bench 256x256x256 --kind r2c --against fftw-mpi --json speed.json\n");
}

}  // namespace weft::command
