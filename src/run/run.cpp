// The loop over a schedule. It never waits: a caller that has nothing else to do tries again.
#include "run/run.hpp"

namespace weft {

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

Run::Awaited::Awaited(Run& run, StallWatch& stalls) : run_(run) {
  run.waiting_ = false;
  run.stalls_ = &stalls;
}

Run::Awaited::~Awaited() {
  run_.stalls_->end();
  run_.stalls_ = nullptr;
}

bool Run::advance() {
  if (!stalls_) waiting_ = false;  // the caller has done other work since the last try
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

}  // namespace weft
