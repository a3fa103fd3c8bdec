// Calls that go to the spectrum and back. One field is changed in the tile of its last pass;
// several fields meet in memory, because a tile holds one.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "session/session.hpp"
#include "transform/ready_operator.hpp"

namespace weft {
namespace {

using Call = CallWatch::Call;

const std::string prepares = "take the memory that apply needs";

/// What a run for a further output would release at its end; never waits.
void release_held(Program& program, Progress& progress) {
  Run::of_part(program, progress, [&](const Action& action) {
    return program.repeats(action, false, true) && !program.repeats(action, false, false);
  }).advance();
}

}  // namespace

void Session::prepare_apply() {
  const Direction there = analysis_direction(request().transform);
  ProgramPlan plan;
  resources_.agree([&] {
    plan = plan_program(
        shape_round_trip(make_round_trip(route(there), route(reverse(there)), request().options)),
        rank());
    if (plan.memory.arena_bytes > resources_.arena_bytes())
      round_trip_.arena = resources_.memory().allocate(plan.memory.arena_bytes, "buffers of apply");
  });
  for (std::size_t w = 0; w < plan.memory.window_bytes.size(); ++w)
    round_trip_.windows.push_back(resources_.window_for(w, plan.memory.window_bytes[w]));
  ProgramContext context = resources_.round_trip_context(there, plan.shape->route.exchanges.size());
  resources_.agree([&] {
    context.wavenumbers = std::make_shared<WavenumberTable>(kept_wavenumbers(request().transform));
    FieldMemory& field = context.fields.front();
    if (round_trip_.arena.size() > 0) field.arena = round_trip_.arena.data();
    field.windows.clear();
    for (const auto& window : round_trip_.windows) field.windows.push_back(window.get());
    round_trip_.program = std::make_unique<Program>(std::move(plan), context);
  });
}

bool Session::is_on_host() const { return resources_.device().stream() == nullptr; }

/// What a device does instead of calling the function; null on the host. Throws where it cannot.
template <class Function>
const ReadyOperator* Session::require_ready(const Function& function) const {
  if (is_on_host()) return nullptr;
  const auto is_none = [](Kind kind) { return kind == Kind::none; };
  if (std::ranges::all_of(request().transform.kinds, is_none)) throw Error(no_spectrum);
  const ElementType type = type_of(target_of(analysis_direction(request().transform)));
  if (const ReadyOperator* const ready = ready_operator(function, type)) return ready;
  throw Error(
      fmt::format("apply: device={} cannot call functions of the host; valid are the operators of "
                  "SpectralOperators, or device=cpu",
                  request().options.device));
}

void Session::check(const ApplyCall& call) const {
  require_nothing_in_flight("apply");
  const Direction there = analysis_direction(request().transform);
  check_type(target_of(there), call.spectrum_type, "apply: spectrum");
  if (call.outs.empty() || call.outs.size() != call.functions.size())
    throw Error(
        fmt::format("apply: {} outputs and {} functions given; valid is one function for "
                    "each output, and at least one",
                    call.outs.size(), call.functions.size()));
  if (std::ranges::any_of(call.functions, [](const auto& function) { return !function; }))
    throw Error("apply: a function is empty; valid is one that can be called");
  for (const RawLineFunction& function : call.functions) require_ready(function);
  if (!is_on_host()) require_spectra();
  const Side side = source_of(there);
  check_arrays("apply", end_of(side, {&call.in, 1}), end_of(side, call.outs));
  if (call.outs.size() > 1 && call.in.data == call.outs.front().data && bytes_of(side) > 0)
    throw Error("apply: with several outputs none of them may be the input");
}

void Session::apply(const ApplyCall& call) {
  policy_.call([&] { return text(fmt::format("apply to {} outputs", call.outs.size())); },
               [&] { check(call); },
               [&] {
                 const std::uint64_t number =
                     resources_.watch().announce(Call::apply, call.outs.size());
                 if (!is_on_host()) return execute_on_device(call, number);
                 if (!round_trip_.program) together(number, prepares, [&] { prepare_apply(); });
                 execute(call, number);
               });
}

/// To one output after the other; they share what the first of them has received.
void Session::execute(const ApplyCall& call, std::uint64_t number) {
  Program& program = *round_trip_.program;
  const Side side = source_of(analysis_direction(request().transform));
  const void* const source =
      staged(program, 0, call.in.data, call.outs.front().data, memory(side).bytes);
  program.expect_overlap(0, asks_again());
  for (std::size_t i = 0; i < call.outs.size(); ++i) {
    const bool is_last = i + 1 == call.outs.size();
    void* const target = call.outs[i].data;
    program.bind(0, source, target);
    program.bind_function(&call.functions[i]);
    const auto wanted = [&](const Action& action) {
      return program.repeats(action, i == 0, is_last);
    };
    Run run = Run::of_part(program, *progress_, wanted, call.in.data == target);
    certify(run, program, 0, 1, "apply");
    try {
      wait_for(run, number);
    } catch (const Error&) {
      if (!run.failure().empty() && !is_last) release_held(program, *progress_);
      throw;
    }
  }
}

/// Where there are several outputs, the spectrum is kept and each is made in another field.
void Session::execute_on_device(const ApplyCall& call, std::uint64_t number) {
  const Direction there = analysis_direction(request().transform);
  const ElementType type = type_of(target_of(there));
  const std::size_t fields = call.outs.size() > 1 ? 2 : 1;
  if (spectra_.fields.size() < fields) together(number, prepares, [&] { prepare_spectra(fields); });
  const RawArray spectrum{spectra_.fields.front().data(), type};
  const RawArray changed{spectra_.fields[fields - 1].data(), type};
  std::vector<Waves> wanted;
  for (const RawLineFunction& function : call.functions)
    wanted.push_back(ready_operator(function, type)->waves);
  prepare_operators(wanted, number);
  transform_spectra(there, {&call.in, 1}, {&spectrum, 1}, number);
  for (std::size_t i = 0; i < call.outs.size(); ++i) {
    spectra_.on_device->run(*ready_operator(call.functions[i], type), {&spectrum.data, 1},
                            {&changed.data, 1});
    transform_spectra(reverse(there), {&changed, 1}, {&call.outs[i], 1}, number);
  }
}

void Session::check(const FieldsCall& call) const {
  require_nothing_in_flight("apply");
  const Direction there = analysis_direction(request().transform);
  const Side side = source_of(there);
  check_type(target_of(there), call.spectrum_type, "apply: spectrum");
  if (!call.function) throw Error("apply: the function is empty; valid is one that can be called");
  if (call.ins.empty() || call.outs.empty())
    throw Error(fmt::format("apply: {} inputs and {} outputs given; valid is at least one of each",
                            call.ins.size(), call.outs.size()));
  if (const ReadyOperator* const ready = require_ready(call.function))
    ready->require_components(std::max(call.ins.size(), call.outs.size()));
  require_spectra();
  check_arrays("apply", end_of(side, call.ins), end_of(side, call.outs));
}

/// Their transforms begin and end in arrays that are not the plan's own.
void Session::require_spectra() const {
  if (!ways_[0].to_any || !ways_[1].to_any)
    throw Error("apply: with several inputs, or on a device, it needs a plan with arrays=any");
}

void Session::prepare_spectra(std::size_t fields) {
  const Side side = target_of(analysis_direction(request().transform));
  Spectra made;
  resources_.agree([&] {
    while (spectra_.fields.size() + made.fields.size() < fields) {
      Memory memory = resources_.memory().allocate(std::max<std::size_t>(bytes_of(side), 1),
                                                   "a spectrum of apply");
      resources_.memory().clear(memory);  // gaps, dropped modes
      made.fields.push_back(std::move(memory));
    }
    if (KernelLauncher* const launcher = resources_.device().launcher())
      made.on_device = std::make_unique<DeviceSpectrum>(request().transform, layout(side), rank(),
                                                        type_of(side), *launcher);
    else
      made.sweep = std::make_unique<SpectrumSweep>(request().transform, layout(side), rank(),
                                                   element(side).bytes());
  });
  // On all ranks or on none.
  std::ranges::move(made.fields, std::back_inserter(spectra_.fields));
  if (!spectra_.on_device) spectra_.on_device = std::move(made.on_device);
  if (!spectra_.sweep) spectra_.sweep = std::move(made.sweep);
}

/// Before anything is on the stream that would have to end if this fails. All ranks have the tables
/// of the same operators, also those without a part of the spectrum.
void Session::prepare_operators(const std::vector<Waves>& wanted, std::uint64_t number) {
  DeviceSpectrum& spectrum = *spectra_.on_device;
  if (std::ranges::all_of(wanted, [&](const Waves& waves) { return spectrum.has_table(waves); }))
    return;
  together(number, prepares, [&] {
    std::vector<DeviceSpectrum::Table> made;
    resources_.agree([&] {
      resources_.device().synchronize();  // it may read tables that are freed for the new ones
      made = spectrum.made_tables(wanted);
    });
    spectrum.add_tables(std::move(made), wanted);
  });
}

void Session::transform_spectra(Direction direction, std::span<const RawArray> in,
                                std::span<const RawArray> out, std::uint64_t number) {
  const auto most = static_cast<std::size_t>(request().options.fields);
  for (std::size_t begin = 0; begin < in.size(); begin += most) {
    const std::size_t count = std::min(most, in.size() - begin);
    execute({direction, in.subspan(begin, count), out.subspan(begin, count)}, number);
  }
}

void Session::apply(const FieldsCall& call) {
  const Direction there = analysis_direction(request().transform);
  const Side side = target_of(there);
  policy_.call(
      [&] {
        return text(
            fmt::format("apply to {} inputs and {} outputs", call.ins.size(), call.outs.size()));
      },
      [&] { check(call); },
      [&] {
        const std::size_t fields = std::max(call.ins.size(), call.outs.size());
        const std::uint64_t number =
            resources_.watch().announce(Call::apply, call.ins.size() << 8 | call.outs.size());
        if (spectra_.fields.size() < fields)
          together(number, prepares, [&] { prepare_spectra(fields); });
        const ReadyOperator* const ready =
            is_on_host() ? nullptr : ready_operator(call.function, type_of(side));
        if (ready != nullptr) prepare_operators({ready->waves}, number);
        if (call.ins.size() < fields)
          resources_.device().synchronize();  // it may use the last fields
        std::vector<RawArray> spectra;
        std::vector<void*> lines;
        for (std::size_t f = 0; f < fields; ++f) {
          const Memory& field = spectra_.fields[f];
          spectra.push_back({field.data(), type_of(side)});
          lines.push_back(field.data());
          if (f >= call.ins.size()) resources_.memory().clear(field);
        }
        const std::span<const RawArray> all(spectra);
        transform_spectra(there, call.ins, all.first(call.ins.size()), number);
        if (ready != nullptr)
          spectra_.on_device->run(*ready, lines, lines);
        else
          spectra_.sweep->run(lines, call.function, request().options.threads);
        transform_spectra(reverse(there), all.first(call.outs.size()), call.outs, number);
      });
}

}  // namespace weft
