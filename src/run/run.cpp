// The loop over a schedule. Everything was decided before: what to do comes from the actions, where
// from the views; waiting exchanges are polled between tiles.
#include "plan/program.hpp"

namespace weft {

void Program::run(int fields) {
  for (const Action& action : shape_.schedule)
    if (action.field < fields) perform(action);
}

void Program::perform(const Action& action) {
  Field& field = fields_[action.field];
  switch (action.verb) {
    case Action::Verb::acquire:
      field.exchanges[action.stage]->acquire(action.k);
      break;
    case Action::Verb::run: {
      Pass& pass = *field.passes[action.stage];
      const int consumed =
          action.stage == 0 ? 1 : shape_.route.exchanges[action.stage - 1].consumer.count;
      pass.run(action.k * consumed + action.j, [this] { poll(); });
      break;
    }
    case Action::Verb::start:
      field.exchanges[action.stage]->start(action.k, action.j);
      break;
    case Action::Verb::finish:
      field.exchanges[action.stage]->finish(action.j);
      break;
    case Action::Verb::release:
      field.exchanges[action.stage]->release(action.j);
      break;
  }
}

void Program::poll() {
  for (Field& field : fields_)
    for (const auto& exchange : field.exchanges) exchange->test();
}

}  // namespace weft
