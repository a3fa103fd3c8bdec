// The memory for several fields, or on a device, is kept from call to call.
#include "session/round_trips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "plan/split_axes.hpp"
#include "transform/parseval.hpp"
#include "transform/ready_operator.hpp"

namespace weft {
namespace {

const std::string prepares = "take the memory that apply needs";

/// What a run for a further output would release at its end; never waits.
void release_held(Program& program, Progress& progress) {
  Run::of_part(program, progress, [&](const Action& action) {
    return program.repeats(action, false, true) && !program.repeats(action, false, false);
  }).advance();
}

}  // namespace

RoundTrips::RoundTrips(const PlannedRequest& plan, const PlanEnds& ends, Resources& resources,
                       Ways& ways, Calls& calls, Transforms& transforms, Progress& progress)
    : plan_(plan),
      ends_(ends),
      resources_(resources),
      ways_(ways),
      calls_(calls),
      transforms_(transforms),
      progress_(progress),
      there_(analysis_direction(plan.request.transform)),
      physical_(source_of(there_)),
      spectral_(target_of(there_)) {}

/// Several outputs need what arrived before the spectrum again, and the result's array of a rank
/// alone would not keep it. So that rank takes a window.
Routes RoundTrips::routes_with_windows() const {
  if (!is_alone(plan_.routes.forward)) return plan_.routes;
  RouteRequest request = plan_.request;
  request.options.exchange = default_exchange(Reach::within_nodes).name;
  return make_routes(request, resources_.job().topology, resources_.job().caches);
}

void RoundTrips::prepare_fused() {
  ProgramPlan plan;
  resources_.agree([&] {
    const Routes routes = routes_with_windows();
    plan = plan_program(
        shape_round_trip(make_round_trip(routes.of(there_), routes.of(reverse(there_)), options())),
        ends_.rank());
    if (plan.memory.arena_bytes > resources_.arena_bytes())
      fused_.arena = resources_.memory().allocate(plan.memory.arena_bytes, "buffers of apply");
  });
  for (std::size_t w = 0; w < plan.memory.window_bytes.size(); ++w)
    fused_.windows.push_back(resources_.window_for(w, plan.memory.window_bytes[w]));
  ProgramContext context =
      resources_.round_trip_context(there_, plan.shape->route.exchanges.size());
  resources_.agree([&] {
    const Route& route = plan.shape->route;
    const int fused_axis =
        route.stages[static_cast<std::size_t>(fused_stage(route))].steps.back().axis;
    context.wavenumbers = std::make_shared<WavenumberTable>(
        wavenumber_table(transform(), plan_.routes.axes, fused_axis));
    FieldMemory& field = context.fields.front();
    if (fused_.arena.size() > 0) field.arena = fused_.arena.data();
    field.windows.clear();
    for (const auto& window : fused_.windows) field.windows.push_back(window.get());
    fused_.program = std::make_unique<Program>(std::move(plan), context);
  });
}

/// What a device does instead of calling the function; null on the host. Throws where it cannot.
template <class Function>
const ReadyOperator* RoundTrips::require_ready(const Function& function) const {
  if (is_on_host()) return nullptr;
  const auto is_none = [](Kind kind) { return kind == Kind::none; };
  if (std::ranges::all_of(transform().kinds, is_none)) throw Error(no_spectrum);
  const ElementType type = ends_.type(spectral_);
  if (const ReadyOperator* const ready = ready_operator(function, type)) return ready;
  throw Error(
      fmt::format("apply: device={} cannot call functions of the host; valid are the operators of "
                  "SpectralOperators, or device=cpu",
                  options().device));
}

void RoundTrips::check(const ApplyCall& call) const {
  transforms_.require_nothing_in_flight("apply");
  require_numbers("apply", ends_.type(spectral_));
  ends_.check_type(spectral_, call.spectrum_type, "apply: spectrum");
  if (call.outs.empty() || call.outs.size() != call.functions.size())
    throw Error(
        fmt::format("apply: {} outputs and {} functions given; valid is one function for "
                    "each output, and at least one",
                    call.outs.size(), call.functions.size()));
  if (std::ranges::any_of(call.functions, [](const auto& function) { return !function; }))
    throw Error("apply: a function is empty; valid is one that can be called");
  for (const RawLineFunction& function : call.functions) require_ready(function);
  if (!is_on_host()) require_spectra();
  check_arrays("apply", ends_.with(physical_, {&call.in, 1}), ends_.with(physical_, call.outs));
  if (call.outs.size() > 1 && call.in.data == call.outs.front().data && ends_.bytes(physical_) > 0)
    throw Error("apply: with several outputs none of them may be the input");
}

void RoundTrips::apply(const ApplyCall& call) {
  calls_.call([&] { return fmt::format("apply to {} outputs", call.outs.size()); },
              [&] { check(call); },
              [&] {
                const std::uint64_t number = calls_.announce(Calls::Kind::apply, call.outs.size());
                if (!is_on_host()) return execute_on_device(call, number);
                if (!fused_.program) calls_.together(number, prepares, [&] { prepare_fused(); });
                execute(call, number);
              });
}

/// To one output after the other; they share what the first of them has received.
void RoundTrips::execute(const ApplyCall& call, std::uint64_t number) {
  Program& program = *fused_.program;
  const void* const source =
      ways_.staged(program, 0, call.in.data, call.outs.front().data, ends_.memory(physical_).bytes);
  program.expect_overlap(0, transforms_.asks_again());
  for (std::size_t i = 0; i < call.outs.size(); ++i) {
    const bool is_last = i + 1 == call.outs.size();
    void* const target = call.outs[i].data;
    program.bind(0, source, target);
    program.bind_function(&call.functions[i]);
    const auto wanted = [&](const Action& action) {
      return program.repeats(action, i == 0, is_last);
    };
    Run run = Run::of_part(program, progress_, wanted, call.in.data == target);
    transforms_.certify(run, program, 0, 1, "apply");
    try {
      calls_.wait_for(run, number);
    } catch (const Error&) {
      if (!run.failure().empty() && !is_last) release_held(program, progress_);
      throw;
    }
  }
}

/// Where there are several outputs, the spectrum is kept and each is made in another field.
void RoundTrips::execute_on_device(const ApplyCall& call, std::uint64_t number) {
  const ElementType type = ends_.type(spectral_);
  const std::size_t fields = call.outs.size() > 1 ? 2 : 1;
  if (spectra_.fields.size() < fields)
    calls_.together(number, prepares, [&] { prepare_spectra(fields); });
  const RawArray spectrum{spectra_.fields.front().data(), type};
  const RawArray changed{spectra_.fields[fields - 1].data(), type};
  std::vector<Waves> wanted;
  for (const RawLineFunction& function : call.functions)
    wanted.push_back(ready_operator(function, type)->waves);
  prepare_operators(wanted, number);
  transform_spectra(there_, {&call.in, 1}, {&spectrum, 1}, number);
  for (std::size_t i = 0; i < call.outs.size(); ++i) {
    spectra_.on_device->run(*ready_operator(call.functions[i], type), {&spectrum.data, 1},
                            {&changed.data, 1});
    transform_spectra(reverse(there_), {&changed, 1}, {&call.outs[i], 1}, number);
  }
}

void RoundTrips::check(const FieldsCall& call) const {
  transforms_.require_nothing_in_flight("apply");
  require_numbers("apply", ends_.type(spectral_));
  ends_.check_type(spectral_, call.spectrum_type, "apply: spectrum");
  if (!call.function) throw Error("apply: the function is empty; valid is one that can be called");
  if (call.ins.empty() || call.outs.empty())
    throw Error(fmt::format("apply: {} inputs and {} outputs given; valid is at least one of each",
                            call.ins.size(), call.outs.size()));
  if (const ReadyOperator* const ready = require_ready(call.function))
    ready->require_components(std::max(call.ins.size(), call.outs.size()));
  require_spectra();
  check_arrays("apply", ends_.with(physical_, call.ins), ends_.with(physical_, call.outs));
}

/// Their transforms begin and end in arrays that are not the plan's own.
void RoundTrips::require_spectra() const {
  if (!ways_.take_any_arrays())
    throw Error("apply: with several inputs, or on a device, it needs a plan with arrays=any");
}

void RoundTrips::prepare_spectra(std::size_t fields) {
  Spectra made;
  resources_.agree([&] {
    while (spectra_.fields.size() + made.fields.size() < fields) {
      Memory memory = resources_.memory().allocate(std::max<std::size_t>(ends_.bytes(spectral_), 1),
                                                   "a spectrum of apply");
      resources_.memory().clear(memory);  // gaps, dropped modes
      made.fields.push_back(std::move(memory));
    }
    if (KernelLauncher* const launcher = resources_.device().launcher())
      made.on_device = std::make_unique<DeviceSpectrum>(
          transform(), ends_.layout(spectral_), ends_.rank(), ends_.type(spectral_), *launcher);
    else
      made.sweep = std::make_unique<SpectrumSweep>(transform(), ends_.layout(spectral_),
                                                   ends_.rank(), ends_.element(spectral_).bytes());
  });
  // On all ranks or on none.
  std::ranges::move(made.fields, std::back_inserter(spectra_.fields));
  if (!spectra_.on_device) spectra_.on_device = std::move(made.on_device);
  if (!spectra_.sweep) spectra_.sweep = std::move(made.sweep);
}

/// Before anything is on the stream that would have to end if this fails. All ranks have the tables
/// of the same operators, also those without a part of the spectrum.
void RoundTrips::prepare_operators(const std::vector<Waves>& wanted, std::uint64_t number) {
  DeviceSpectrum& spectrum = *spectra_.on_device;
  if (std::ranges::all_of(wanted, [&](const Waves& waves) { return spectrum.has_table(waves); }))
    return;
  calls_.together(number, prepares, [&] {
    std::vector<DeviceSpectrum::Table> made;
    resources_.agree([&] {
      resources_.device().synchronize();  // it may read tables that are freed for the new ones
      made = spectrum.made_tables(wanted);
    });
    spectrum.add_tables(std::move(made), wanted);
  });
}

void RoundTrips::transform_spectra(Direction direction, std::span<const RawArray> in,
                                   std::span<const RawArray> out, std::uint64_t number) {
  const auto most = static_cast<std::size_t>(options().fields);
  for (std::size_t begin = 0; begin < in.size(); begin += most) {
    const std::size_t count = std::min(most, in.size() - begin);
    transforms_.execute({direction, in.subspan(begin, count), out.subspan(begin, count)}, number);
  }
}

void RoundTrips::apply(const FieldsCall& call) {
  calls_.call(
      [&] {
        return fmt::format("apply to {} inputs and {} outputs", call.ins.size(), call.outs.size());
      },
      [&] { check(call); },
      [&] {
        execute(call, calls_.announce(Calls::Kind::apply, call.ins.size() << 8 | call.outs.size()));
      });
}

void RoundTrips::execute(const FieldsCall& call, std::uint64_t number) {
  const std::size_t fields = std::max(call.ins.size(), call.outs.size());
  if (spectra_.fields.size() < fields)
    calls_.together(number, prepares, [&] { prepare_spectra(fields); });
  const ElementType type = ends_.type(spectral_);
  const ReadyOperator* const ready = is_on_host() ? nullptr : ready_operator(call.function, type);
  if (ready != nullptr) prepare_operators({ready->waves}, number);
  if (call.ins.size() < fields) resources_.device().synchronize();  // it may use the last fields
  std::vector<RawArray> spectra;
  std::vector<void*> lines;
  for (std::size_t f = 0; f < fields; ++f) {
    const Memory& field = spectra_.fields[f];
    spectra.push_back({field.data(), type});
    lines.push_back(field.data());
    if (f >= call.ins.size()) resources_.memory().clear(field);
  }
  const std::span<const RawArray> all(spectra);
  transform_spectra(there_, call.ins, all.first(call.ins.size()), number);
  if (ready != nullptr)
    spectra_.on_device->run(*ready, lines, lines);
  else
    spectra_.sweep->run(lines, call.function, options().threads);
  transform_spectra(reverse(there_), all.first(call.outs.size()), call.outs, number);
}

std::size_t RoundTrips::bytes() const {
  std::size_t bytes = fused_.arena.size();
  for (const Memory& memory : spectra_.fields) bytes += memory.size();
  for (const auto& window : fused_.windows)
    if (!resources_.owns(window)) bytes += window->bytes();
  return bytes;
}

std::size_t RoundTrips::tile_bytes() const {
  return fused_.program ? fused_.program->tile_bytes() : 0;
}

void RoundTrips::retire() {
  fused_.arena = {};
  spectra_ = {};
}

}  // namespace weft
