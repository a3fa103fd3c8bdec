// Runs whole transforms of random numbers, since errors and times depend on every part of a plan.
#include "tune/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mpi/shared_segment.hpp"
#include "tune/self_test.hpp"

namespace weft {
namespace {

template <class Real>
std::vector<Real> values_of(Device& device, const RawArray& array, std::size_t bytes) {
  std::vector<Real> values(bytes / sizeof(Real));
  device.copy(values.data(), array.data, bytes);
  device.synchronize();
  return values;
}

template <class Real>
double error_of(Session& session) {
  Device& device = session.device();
  const RawArray in = session.own_array(Side::input, session.type_of(Side::input));
  const RawArray out = session.own_array(Side::output, session.type_of(Side::output));
  const std::size_t in_bytes = session.bytes_of(Side::input);
  const std::size_t out_bytes = session.bytes_of(Side::output);
  std::mt19937_64 random(static_cast<std::uint64_t>(session.rank()) + 1);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<Real> numbers(in_bytes / sizeof(Real));
  std::ranges::generate(numbers, [&] { return uniform(random); });
  const std::vector<Real> zeros(out_bytes / sizeof(Real));  // the gaps of a padded layout, too
  device.copy(in.data, numbers.data(), in_bytes);
  device.copy(out.data, zeros.data(), out_bytes);
  device.synchronize();
  session.run({Direction::forward, {&in, 1}, {&out, 1}});
  const std::vector<Real> first = values_of<Real>(device, out, out_bytes);
  session.run({Direction::backward, {&out, 1}, {&in, 1}});
  session.run({Direction::forward, {&in, 1}, {&out, 1}});
  const std::vector<Real> result = values_of<Real>(device, out, out_bytes);
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double change = static_cast<double>(result[i]) - static_cast<double>(first[i]);
    sums[0] += change * change;
    sums[1] += static_cast<double>(first[i]) * static_cast<double>(first[i]);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, session.communicator().get()),
            "MPI_Allreduce");
  return sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : 0;
}

}  // namespace

double trial_error(Session& session) {
  return session.request().transform.precision == Precision::double_ ? error_of<double>(session)
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

/// With another method where shared memory is too small.
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
  if (session->request().options.verify) self_test(*session);
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
  ProgramPlan plan =
      plan_program(shape_without_communication(session.routes().forward), session.rank());
  Device& device = session.device();
  const auto allocate = [&](std::size_t bytes) {
    const Memory memory = device.memory().allocate(std::max<std::size_t>(1, bytes));
    // Numbers of ordinary size; zeros would be as fast but prove less.
    const std::vector<std::byte> numbers(memory.size(), std::byte{0x3f});
    device.copy(memory.data(), numbers.data(), numbers.size());
    device.synchronize();
    return memory;
  };
  const auto alone = std::make_shared<Alone>();
  alone->device = &device;
  alone->arena = allocate(plan.memory.arena_bytes);
  alone->in = allocate(session.bytes_of(Side::input));
  alone->out = allocate(session.bytes_of(Side::output));
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
    session.run_part([](const Action& action) { return action.verb != Action::Verb::run; });
  };
}

}  // namespace weft
