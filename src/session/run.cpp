// The loop over a schedule, and the one place where Weft waits. It waits by retrying, so that all
// messages in flight progress meanwhile, and yields, so that ranks that share a core do not block
// each other.
#include "session/run.hpp"

#include <sched.h>

namespace weft {
namespace {

constexpr int tries_before_yield = 100;
constexpr int tries_before_watch = 1000;

}  // namespace

Run::Run(Program& program, const Schedule& actions, int field, Progress& progress)
    : program_(program), actions_(actions), field_(field), progress_(progress) {
  progress_.begin(program_);
}

Run::Run(Program& program, Schedule&& actions, Progress& progress)
    : program_(program),
      selected_(std::move(actions)),
      actions_(selected_),
      field_(-1),
      progress_(progress) {
  progress_.begin(program_);
}

Run Run::of_fields(Program& program, int fields, Progress& progress) {
  Schedule actions = program.schedule();
  std::erase_if(actions, [&](const Action& action) { return action.field >= fields; });
  return {program, std::move(actions), progress};
}

Run Run::of_field(Program& program, int field, Progress& progress, bool in_place) {
  return {program, program.alone(in_place), field, progress};
}

Run Run::of_part(Program& program, Progress& progress,
                 const std::function<bool(const Action&)>& wanted, bool in_place) {
  Schedule actions = program.alone(in_place);
  std::erase_if(actions, [&](const Action& action) { return !wanted(action); });
  return {program, std::move(actions), progress};
}

Run::~Run() { progress_.end(program_); }

bool Run::advance() {
  waiting_ = false;  // since it was last called other things were done
  return go_on();
}

bool Run::go_on() {
  Recorder* const recorder = progress_.recorder();
  const std::function<void()> poll = [this] { progress_.between_tiles(); };
  for (; next_ < actions_.size(); ++next_) {
    Action action = actions_[next_];
    if (field_ >= 0) action.field = field_;
    if (recorder && !waiting_) first_try_ = Clock::now();
    if (stalls_ && !waiting_ && action.verb != Action::Verb::run) stalls_->begin(program_, action);
    // While a pass runs, others may progress the exchanges.
    const auto lock =
        action.verb == Action::Verb::run ? std::unique_lock<std::mutex>() : progress_.exclusive();
    const bool done = program_.perform(action, poll);
    if (recorder && done) recorder->add_action(program_.route(), action, first_try_, waiting_);
    if (done && stalls_ && action.verb != Action::Verb::run) stalls_->end();
    waiting_ = !done;
    if (!done) return false;
  }
  if (!certificate_) return true;
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
  for (int tries = 1; !go_on(); ++tries) {
    meanwhile();
    if (tries >= tries_before_yield) sched_yield();
    if (tries % tries_before_watch == 0) watch();
  }
}

}  // namespace weft
