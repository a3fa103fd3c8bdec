// Runs whole transforms of random numbers, since errors and times depend on every part of a plan.
#include "make/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "make/self_test.hpp"
#include "mpi/shared_segment.hpp"

namespace weft {
namespace {

/// An array of the plan; the host copies one part at a time.
template <class Real>
class Numbers {
 public:
  Numbers(Session& session, Side side)
      : session_(session),
        device_(session.resources().device()),
        array_(session.own_array(side, session.ends().type(side))),
        count_(session.ends().bytes(side) / sizeof(Real)) {}

  RawArray& array() { return array_; }
  std::size_t count() const { return count_; }
  /// Collective, so that no rank goes on without another.
  template <class Number>
  void fill(Number&& number) {
    for_each_part([&](Real* part, std::size_t begin, std::size_t size) {
      std::generate_n(part, size, number);
      device_.copy(data() + begin, part, size * sizeof(Real));
      device_.synchronize();
    });
  }
  /// Calls body(number, its place). Collective.
  template <class Body>
  void for_each(Body&& body) {
    for_each_part([&](Real* part, std::size_t begin, std::size_t size) {
      device_.copy(part, data() + begin, size * sizeof(Real));
      device_.synchronize();
      for (std::size_t i = 0; i < size; ++i) body(part[i], begin + i);
    });
  }

 private:
  Real* data() const { return static_cast<Real*>(array_.data); }
  template <class Body>
  void for_each_part(Body&& body) {
    constexpr std::size_t most = 1 << 16;
    agree(session_.resources().job().communicator, [&] {
      std::vector<Real> part(std::min(count_, most));
      for (std::size_t begin = 0; begin < count_; begin += most)
        body(part.data(), begin, std::min(most, count_ - begin));
    });
  }

  Session& session_;
  Device& device_;
  RawArray array_;
  std::size_t count_;
};

template <class Real>
double error_of(Session& session) {
  Numbers<Real> in(session, Side::input), out(session, Side::output);
  std::mt19937_64 random(static_cast<std::uint64_t>(session.ends().rank()) + 1);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  in.fill([&] { return uniform(random); });
  out.fill([] { return Real(0); });  // including the gaps of a padded layout
  std::vector<Real> first;
  agree(session.resources().job().communicator, [&] { first.resize(out.count()); });
  session.transforms().run({Direction::forward, {&in.array(), 1}, {&out.array(), 1}});
  out.for_each([&](Real value, std::size_t place) { first[place] = value; });
  session.transforms().run({Direction::backward, {&out.array(), 1}, {&in.array(), 1}});
  session.transforms().run({Direction::forward, {&in.array(), 1}, {&out.array(), 1}});
  double sums[2] = {0, 0};
  out.for_each([&](Real value, std::size_t place) {
    const double change = static_cast<double>(value) - static_cast<double>(first[place]);
    sums[0] += change * change;
    sums[1] += static_cast<double>(first[place]) * static_cast<double>(first[place]);
  });
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM,
                          session.resources().job().communicator.get()),
            "MPI_Allreduce");
  return sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : 0;
}

}  // namespace

double trial_error(Session& session) {
  return session.plan().request.transform.precision == Precision::double_
             ? error_of<double>(session)
             : error_of<float>(session);
}

namespace {

std::unique_ptr<Session> with_shortest_wire(const Job& job, PlannedRequest plan) {
  const Options& options = plan.request.options;
  if (options.wire_error > 0 && options.wire == Wire::exact)
    for (const Wire wire : {Wire::fixed12, Wire::bfloat16, Wire::single_}) {
      // No form of a wire fits every plan: `fixed12` has none for real numbers.
      if (!can_travel(plan.routes, wire)) continue;
      RouteRequest shorter = plan.request;
      shorter.options.wire = wire;
      auto session = std::make_unique<Session>(job, planned(job, std::move(shorter), plan.choice));
      if (trial_error(*session) <= options.wire_error) return session;
    }
  return std::make_unique<Session>(job, std::move(plan));
}

/// Takes another method if shared memory is too small.
std::unique_ptr<Session> with_enough_memory(const Job& job, PlannedRequest plan) {
  if (!plan.may_avoid_windows) return with_shortest_wire(job, std::move(plan));
  RouteRequest other = plan.request;
  Choice choice = plan.choice;
  try {
    return with_shortest_wire(job, std::move(plan));
  } catch (const NoSharedMemory& none) {
    other.options.exchange = default_exchange(Reach::between_nodes).name;
    choice.note = fmt::format("exchange {}, because of {}", other.options.exchange, none.what());
  }
  return with_shortest_wire(job, planned(job, std::move(other), choice));
}

}  // namespace

std::unique_ptr<Session> make_session(const Job& job, PlannedRequest plan) {
  auto session = with_enough_memory(job, std::move(plan));
  if (session->plan().request.options.verify) self_test(*session);
  return session;
}

std::function<void()> passes_alone(const Session& session) {
  /// Keeps alive everything that the program refers to.
  struct Alone {
    Memory arena, in, out;
    Device* device = nullptr;
    std::unique_ptr<Program> program;
    Progress progress{ProgressPolicy::none, 1};
  };
  ProgramPlan plan = plan_program(shape_without_communication(session.plan().routes.forward),
                                  session.ends().rank());
  Device& device = session.resources().device();
  const auto allocate = [&](std::size_t bytes) {
    const Memory memory = device.memory().allocate(std::max<std::size_t>(1, bytes),
                                                   "the measurement of one rank alone");
    // Numbers of ordinary size; zeros would be as fast but prove less.
    const std::vector<std::byte> numbers(memory.size(), std::byte{0x3f});
    device.copy(memory.data(), numbers.data(), numbers.size());
    device.synchronize();
    return memory;
  };
  const auto alone = std::make_shared<Alone>();
  alone->device = &device;
  alone->arena = allocate(plan.memory.arena_bytes);
  alone->in = allocate(session.ends().bytes(Side::input));
  alone->out = allocate(session.ends().bytes(Side::output));
  ProgramContext context = session.resources().context(Direction::forward, 1);
  context.communicators.clear();
  context.agree = [](const auto& work) { work(); };
  context.fields.front().arena = alone->arena.data();
  alone->program = std::make_unique<Program>(std::move(plan), context);
  alone->program->bind(0, alone->in.data(), alone->out.data());
  return [alone] {
    Run::of_field(*alone->program, 0, alone->progress).advance();
    alone->device->synchronize();
  };
}

std::function<void()> exchanges_alone(Session& session) {
  return [&session] {
    session.transforms().run_part(
        [](const Action& action) { return action.verb != Action::Verb::run; });
  };
}

}  // namespace weft
