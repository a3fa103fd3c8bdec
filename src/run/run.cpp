// The loop over a schedule, and the one place where Weft waits. It waits by retrying, so that all
// messages in flight progress meanwhile, and soon lets other ranks run between its tries.
#include "run/run.hpp"

#include "machine/retries.hpp"

namespace weft {
namespace {

constexpr int eager_tries = 100;
constexpr int tries_before_watch = 1000;

}  // namespace

Run::Run(Program& program, const Schedule& actions, Selection selection, Progress& progress)
    : program_(program), actions_(actions), selection_(std::move(selection)), progress_(progress) {
  progress_.begin(program_);
}

Run Run::of_fields(Program& program, int fields, Progress& progress) {
  const auto wanted = [fields](const Action& action) { return action.field < fields; };
  return {program, program.schedule(), {.wanted = wanted}, progress};
}

Run Run::of_field(Program& program, int field, Progress& progress, bool in_place) {
  return {program, program.alone(in_place), {.field = field}, progress};
}

Run Run::of_part(Program& program, Progress& progress,
                 const std::function<bool(const Action&)>& wanted, bool in_place) {
  return {program, program.alone(in_place), {.wanted = wanted}, progress};
}

Run::~Run() { progress_.end(program_); }

bool Run::advance() {
  waiting_ = false;  // the caller has done other work since the last call
  return go_on();
}

bool Run::go_on() {
  Recorder* const recorder = progress_.recorder();
  const std::function<void()> poll = [this] { progress_.between_tiles(); };
  for (; next_ < actions_.size(); ++next_) {
    Action action = actions_[next_];
    if (selection_.wanted && !selection_.wanted(action)) continue;
    if (selection_.field >= 0) action.field = selection_.field;
    if (recorder && !waiting_) first_try_ = Clock::now();
    if (stalls_ && !waiting_ && action.verb != Action::Verb::run)
      stalls_->begin({&program_, action});
    // While a pass runs, others may progress the exchanges.
    const auto lock =
        action.verb == Action::Verb::run ? std::unique_lock<std::mutex>() : progress_.exclusive();
    const bool done = program_.perform(action, poll);
    if (recorder && done) recorder->add_action(program_.route(), action, first_try_, waiting_);
    if (done && stalls_ && action.verb != Action::Verb::run) stalls_->end();
    waiting_ = !done;
    if (!done) return false;
  }
  {
    const auto lock = progress_.exclusive();
    if (!program_.leave()) return false;
  }
  if (!certificate_) return true;
  if (stalls_ && !waiting_) stalls_->begin({.step = "compare what verify=1 has summed"});
  waiting_ = true;
  const auto lock = progress_.exclusive();
  return certificate_->advance();
}

void Run::wait(StallWatch& stalls, const std::function<void()>& meanwhile,
               const std::function<void()>& watch) {
  struct Watched {  // also where `watch` throws
    ~Watched() {
      run.stalls_ = nullptr;
      stalls.end();
    }
    Run& run;
    StallWatch& stalls;
  } const watched{*this, stalls};
  waiting_ = false;
  stalls_ = &stalls;
  for (Retries tries(eager_tries); !go_on();) {
    meanwhile();
    tries.pause();
    if (tries.pauses() % tries_before_watch == 0) watch();
  }
}

}  // namespace weft
