// A call is checked before anything runs, announced to the other ranks, bound to a program, and
// run.
#include "session/transforms.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft {
namespace {

constexpr std::size_t recorded_spans = 1 << 16;  // of either thread: 3 MB each

Calls::Kind kind_of(Direction direction, bool into_own_array) {
  using enum CallWatch::Call;
  if (direction == Direction::forward) return into_own_array ? forward_into_own_array : forward;
  return into_own_array ? backward_into_own_array : backward;
}

}  // namespace

Transforms::Transforms(const Options& options, const PlanEnds& ends, const Resources& resources,
                       Ways& ways, Calls& calls, Flights& flights, Progress& progress)
    : options_(options),
      ends_(ends),
      device_(resources.device()),
      ways_(ways),
      calls_(calls),
      flights_(flights),
      progress_(progress) {
  if (!options.verify) return;
  for (int field = 0; field < options.fields; ++field)
    certifying_.push_back(Communicator::duplicate(resources.job().communicator.get()));
}

void Transforms::check(const TransformCall& call, const std::string& name) const {
  if (!std::isfinite(call.scale))
    throw Error(fmt::format("{}: scale {} given; valid is a finite number", name, call.scale));
  if (const int bytes = ends_.type(Side::input).plain_bytes; bytes > 0 && call.scale != 1)
    throw Error(fmt::format(
        "{}: scale {} given; elements of {} bytes are moved as they are, and valid is 1", name,
        call.scale, bytes));
  const auto most = static_cast<std::size_t>(options_.fields);
  if (call.in.size() != call.out.size() || call.in.empty() || call.in.size() > most)
    throw Error(
        fmt::format("fields: {} inputs and {} outputs given; valid is the same number of both, 1 "
                    "to the plan's fields={}",
                    call.in.size(), call.out.size(), most));
  if (ways_.program_for(call) == nullptr)
    throw Error(
        fmt::format("{}: the plan was made with arrays=plan; pass its own input() and "
                    "output() arrays, out of place, one field at a time",
                    name));
  check_arrays(name, ends_.with(source_of(call.direction), call.in),
               ends_.with(target_of(call.direction), call.out));
}

/// What all ranks must have in common.
std::string Transforms::text(const TransformCall& call, const std::string& name) const {
  return fmt::format("{} of {} fields{}, scale {}", name, call.in.size(),
                     ways_.delivers(call) ? " into the plan's array" : "", call.scale);
}

std::uint64_t Transforms::announce(const TransformCall& call) {
  const std::uint64_t detail = std::hash<double>()(call.scale) * 31 + call.in.size();
  return calls_.announce(kind_of(call.direction, ways_.delivers(call)),
                         detail ^ detail >> 32 ^ detail >> 16);
}

/// Other fields may be in flight, and a thread of ours then tests all exchanges of the program.
Program& Transforms::bind(const TransformCall& call, int first_field, bool overlapped) {
  const auto lock = progress_.exclusive();
  return ways_.bind(call, first_field, overlapped);
}

void Transforms::run(const TransformCall& call) {
  const char* const name = call.direction == Direction::forward ? "forward" : "backward";
  calls_.call([&] { return text(call, name); },
              [&] {
                require_nothing_in_flight(name);
                check(call, name);
              },
              [&] { execute(call, announce(call)); });
}

void Transforms::execute(const TransformCall& call, std::uint64_t number) {
  const int fields = static_cast<int>(call.in.size());
  const bool in_place = call.is_in_place();
  Program& program = bind(call, 0, fields > 1 || asks_again());
  Run run = fields > 1 ? Run::of_fields(program, fields, progress_)
                       : Run::of_field(program, 0, progress_, in_place);
  certify(run, program, 0, fields, call.direction == Direction::forward ? "forward" : "backward");
  drained_on_error(device_, [&] { calls_.wait_for(run, number); });
  for (std::size_t field = 0; field < call.out.size(); ++field) ways_.deliver(field);
}

void Transforms::certify(Run& run, Program& program, int first, int count, const char* name) {
  if (certifying_.empty()) return;
  run.certify(std::make_unique<Certificate>(certifying_[static_cast<std::size_t>(first)], program,
                                            CertifiedCall{first, count, name}));
}

bool Transforms::asks_again() const {
  return options_.producer_chunks > 1 || options_.consumer_chunks > 1 ||
         options_.errors == ErrorPolicy::raise;
}

void Transforms::require_nothing_in_flight(const char* what) const {
  if (flights_.count() == 0) return;
  throw Error(fmt::format(
      "{}: {} transforms of this plan that were started are still in flight; wait for them first",
      what, flights_.count()));
}

void Transforms::check_free(int field, const std::string& name) const {
  const int fields = options_.fields;
  if (flights_.uses(field))
    throw Error(fmt::format(
        "{}: the plan has buffers for {} in flight (fields={}), and the transform that uses "
        "the next ones has not been waited for",
        name, fields, fields));
}

std::uint64_t Transforms::start(const TransformCall& call) {
  const char* const name =
      call.direction == Direction::forward ? "start_forward" : "start_backward";
  const int field = ways_.delivers(call) ? 0 : flights_.next_field();
  const FlightArrays arrays{call.in.front().data, ends_.memory(source_of(call.direction)),
                            call.out.front().data, ends_.memory(target_of(call.direction))};
  std::uint64_t ticket = 0;
  calls_.call(
      [&] { return text(call, name); },
      [&] {
        check(call, name);
        check_free(field, name);
        if (flights_.disturbs(arrays))
          throw Error(fmt::format(
              "{}: its arrays overlap those of a transform in flight; wait for that first", name));
      },
      [&] {
        if (!ways_.delivers(call)) flights_.take_turn();
        ticket = announce(call);
        Program& program = bind(call, field, true);
        const bool in_place = arrays.in == arrays.out;
        std::unique_ptr<Run> run(new Run(Run::of_field(program, field, progress_, in_place)));
        certify(*run, program, field, 1, name);
        drained_on_error(device_, [&] { run->advance(); });
        flights_.add(ticket, field, arrays, std::move(run));
      });
  return ticket;
}

bool Transforms::test(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return true;
  bool is_over = false;
  calls_.proceed([&] {
    drained_on_error(device_, [&] { is_over = run->advance(); });
    if (!is_over) return calls_.advance_others();
    drained_on_error(device_, [&] { calls_.check(ticket); });
    ways_.deliver(flights_.field_of(ticket));
    const std::string failure = run->failure();
    flights_.forget(ticket);
    if (!failure.empty()) throw SharedError(failure, Error::Cause::data);
  });
  return is_over;
}

void Transforms::wait(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return;
  calls_.proceed([&] {
    try {
      drained_on_error(device_, [&] { calls_.wait_for(*run, ticket); });
    } catch (const SharedError&) {
      flights_.forget(ticket);
      throw;
    }
    ways_.deliver(flights_.field_of(ticket));
    flights_.forget(ticket);
  });
}

void Transforms::finish_flights() {
  while (flights_.count() > 0) wait(flights_.oldest());
  calls_.finish();
}

void Transforms::run_part(const std::function<bool(const Action&)>& wanted) {
  const char* const name = "a part of forward";
  calls_.call([&] { return name; }, [&] { require_nothing_in_flight(name); },
              [&] {
                const std::uint64_t number = calls_.announce(Calls::Kind::exchanges_only, 0);
                Program& program = ways_.forward_program();
                program.expect_overlap(0, asks_again());
                Run run = Run::of_part(program, progress_, wanted);
                calls_.wait_for(run, number);
                device_.synchronize();
              });
}

void Transforms::record(bool on) {
  require_nothing_in_flight("record");
  progress_.record(nullptr);
  if (!on) return;
  recorder_ = std::make_unique<Recorder>(recorded_spans);
  progress_.record(recorder_.get());
}

}  // namespace weft
