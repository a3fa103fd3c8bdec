// Plan and Handle. The GIL is free from the check of the arrays until the plan returns: other
// threads of Python run while ranks wait for each other.
#include "plan.hpp"

#include <utility>
#include <weft/c_functions.hpp>

#include "given.hpp"

namespace weft::python {
namespace {

Direction direction_of(bool is_forward) {
  return is_forward ? Direction::forward : Direction::backward;
}

Plan make_plan(std::uintptr_t comm, const Transform& transform, const std::string& options,
               const Layout& input, const Layout& output) {
  const nb::gil_scoped_release free;
  return Plan(communicator(comm), transform, input, output, Options::parse(options));
}

/// A handle that lets others run while it waits, when it is dropped as well.
class InFlight {
 public:
  using Kept = std::vector<std::shared_ptr<void>>;

  /// `waits`: the plan, if it must be done with its stream when the transform is over. `input` and
  /// `output`: see Fields::take_kept.
  InFlight(Handle handle, Plan* waits, Kept input, Kept output)
      : handle_(std::move(handle)),
        waits_(waits),
        input_(std::move(input)),
        output_(std::move(output)) {}
  InFlight(InFlight&& other) noexcept
      : handle_(std::move(other.handle_)),
        waits_(std::exchange(other.waits_, nullptr)),
        input_(std::move(other.input_)),
        output_(std::move(other.output_)) {}
  ~InFlight() {
    const nb::gil_scoped_release free;
    handle_ = Handle();
    try {
      synchronize();
    } catch (const std::exception&) {  // the plan has been closed, or its device has failed
    }
  }
  bool test() {
    const nb::gil_scoped_release free;
    if (!handle_.test()) return false;
    synchronize();
    return true;
  }
  void wait() {
    const nb::gil_scoped_release free;
    handle_.wait();
    synchronize();
  }

 private:
  void synchronize() {
    if (Plan* const plan = std::exchange(waits_, nullptr)) plan->synchronize();
  }

  Handle handle_;
  Plan* waits_;
  Kept input_, output_;
};

void run(Core& core, bool is_forward, nb::handle input, nb::handle output,
         const Given<double>& scale) {
  const Fields in(core.plan(), input, core.end(side_of(is_forward)), Access::read);
  const Fields out(core.plan(), output, core.end(side_of(!is_forward)), Access::write);
  const double factor = scale.as("scale");
  const nb::gil_scoped_release free;
  core.plan().run(direction_of(is_forward), in.raw(), out.raw(), factor);
  if (in.has_others() || out.has_others()) core.plan().synchronize();
}

InFlight start(Core& core, bool is_forward, nb::handle input, nb::handle output,
               const Given<double>& scale) {
  Fields in(core.plan(), input, core.end(side_of(is_forward)), Access::read);
  Fields out(core.plan(), output, core.end(side_of(!is_forward)), Access::write);
  if (in.raw().size() != 1 || out.raw().size() != 1)
    throw Error("start: " + std::to_string(in.raw().size()) + " inputs and " +
                std::to_string(out.raw().size()) + " outputs given; valid is one of each");
  const double factor = scale.as("scale");
  const nb::gil_scoped_release free;
  return {core.plan().start(direction_of(is_forward), in.raw().at(0), out.raw().at(0), factor),
          in.has_others() || out.has_others() ? &core.plan() : nullptr, in.take_kept(),
          out.take_kept()};
}

void apply(Core& core, const Fields& in, const Fields& out, const RawOperator& what) {
  const nb::gil_scoped_release free;
  if (what.together)
    core.plan().apply(in.raw(), out.raw(), core.spectrum_type(), what.together);
  else
    core.plan().apply(in.raw().at(0), out.raw(), core.spectrum_type(), what.each);
}

void apply_operator(Core& core, nb::handle input, nb::handle output, const RawOperator& what) {
  apply(core, Fields(core.plan(), input, core.physical(), Access::read),
        Fields(core.plan(), output, core.physical(), Access::write), what);
}

void apply_each(Core& core, nb::handle input, nb::handle output,
                const Given<Functions>& functions) {
  RawOperator what;
  for (const auto& [address, user] : functions.as("function and user"))
    what.each.push_back(
        raw_function(reinterpret_cast<weft_line_function>(address), reinterpret_cast<void*>(user)));
  apply_operator(core, input, output, what);
}

void apply_fields(Core& core, nb::handle input, nb::handle output, std::uintptr_t address,
                  const Given<std::uintptr_t>& user) {
  RawOperator what;
  what.together = raw_function(reinterpret_cast<weft_lines_function>(address),
                               reinterpret_cast<void*>(user.as("user")));
  apply_operator(core, input, output, what);
}

RawOperator operator_of(Core& core, const std::string& text, const std::vector<double>& lengths) {
  return SpectralOperators(core.plan().transform(), lengths).by_name(text, core.spectrum_type());
}

nb::tuple trace(Core& core) {
  const Trace trace = core.plan().trace();
  static const char* const names[] = {"pass", "acquire", "start", "finish", "release", "poll"};
  const auto seconds = [](auto time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  nb::list spans;
  for (const Trace::Span& span : trace.spans)
    spans.append(nb::make_tuple(names[static_cast<std::size_t>(span.what)], span.name,
                                seconds(span.begin), seconds(span.end), span.stage, span.k, span.j,
                                span.field, span.waited, span.by_progress_thread));
  return nb::make_tuple(spans, trace.dropped);
}

void bind_calls(nb::class_<Core>& plan) {
  plan.def("run", &run, nb::arg("is_forward"), nb::arg("input").none(), nb::arg("output").none(),
           nb::arg("scale"))
      .def("start", &start, nb::arg("is_forward"), nb::arg("input").none(),
           nb::arg("output").none(), nb::arg("scale"), nb::keep_alive<0, 1>())
      .def("operator", &operator_of, nb::arg("text"), nb::arg("lengths"))
      .def("apply_operator", &apply_operator, nb::arg("input").none(), nb::arg("output").none(),
           nb::arg("operator"))
      .def("apply_each", &apply_each, nb::arg("input").none(), nb::arg("output").none(),
           nb::arg("functions"))
      .def("apply_fields", &apply_fields, nb::arg("input").none(), nb::arg("output").none(),
           nb::arg("address"), nb::arg("user"))
      .def(
          "close", [](Core& core) { core.plan().close(); },
          nb::call_guard<nb::gil_scoped_release>());
}

void copy(Core& core, std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  const nb::gil_scoped_release free;
  core.plan().copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

/// Calls and facts of plans for a device.
void bind_device(nb::class_<Core>& plan) {
  plan.def("copy", &copy, nb::arg("to"), nb::arg("source"), nb::arg("bytes"))
      .def(
          "synchronize", [](Core& core) { core.plan().synchronize(); },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "set_stream",
          [](Core& core, const Given<std::uintptr_t>& stream) {
            core.plan().set_stream(reinterpret_cast<void*>(stream.as("stream")));
          },
          nb::arg("stream"))
      .def("dlpack", &Core::dlpack, nb::arg("memory"))
      .def_prop_ro("device", [](Core& core) { return core.plan().options().device; })
      .def_prop_ro("dlpack_device", [](Core& core) {
        const Plan::Dlpack device = core.plan().dlpack_device();
        return std::make_pair(device.kind, device.number);
      });
}

void bind_facts(nb::class_<Core>& plan) {
  plan.def_prop_ro("options", [](Core& core) { return to_string(core.plan().options()); })
      .def_prop_ro("input_layout", [](Core& core) { return core.plan().input_layout(); })
      .def_prop_ro("output_layout", [](Core& core) { return core.plan().output_layout(); })
      .def_prop_ro("rank", [](Core& core) { return core.plan().rank(); })
      .def_prop_ro("workspace_bytes", [](Core& core) { return core.plan().workspace_bytes(); })
      .def_prop_ro("engine", [](Core& core) { return core.plan().engine(); })
      .def_prop_ro("exchanges", [](Core& core) { return core.plan().exchanges(); })
      .def_prop_ro("sent",
                   [](Core& core) {
                     const Plan::Traffic traffic = core.plan().sent();
                     return std::make_pair(traffic.bytes, traffic.messages);
                   })
      .def_prop_ro("spectrum_is_output",
                   [](Core& core) { return spectral_side(core.plan()) == Side::output; })
      .def("describe", [](Core& core) { return core.plan().describe(); })
      .def(
          "record", [](Core& core, const Given<bool>& on) { core.plan().record(on.as("on")); },
          nb::arg("on"))
      .def("trace", &trace)
      .def("own_array", &Core::own_array, nb::arg("is_input"))
      .def("make_array", &Core::make_array, nb::arg("is_input"));
}

}  // namespace

Core::Core(std::uintptr_t comm, const Transform& transform, const std::string& options,
           const Layout& input, const Layout& output)
    : plan_(make_plan(comm, transform, options, input, output)),
      ends_{End(plan_, Side::input), End(plan_, Side::output)} {}

nb::object Core::own_array(bool is_input) {
  End& end = ends_[static_cast<std::size_t>(side_of(is_input))];
  std::shared_ptr<void> memory;
  {
    const nb::gil_scoped_release free;
    memory = plan_.own_array(side_of(is_input), end.type);
  }
  end.own = memory.get();
  end.owner = plan_.owner();
  return view(std::move(memory), end);
}

nb::object Core::make_array(bool is_input) const {
  const End& own = end(side_of(is_input));
  return view(plan_.make_array(side_of(is_input), own.type), own);
}

nb::object Core::view(std::shared_ptr<void> memory, const End& end) const {
  if (plan_.is_on_device(memory.get()))
    return nb::cast(DeviceMemory{std::move(memory), end, nb::borrow(nb::find(*this))});
  return numpy_view(std::move(memory), end);
}

nb::object Core::dlpack(const DeviceMemory& memory) const {
  return dlpack_view(memory, plan_.dlpack_device());
}

void bind_plan(nb::module_& module) {
  nb::class_<RawOperator>(module, "Operator")
      .def_ro("inputs", &RawOperator::inputs)
      .def_ro("outputs", &RawOperator::outputs);
  nb::class_<DeviceMemory>(module, "DeviceMemory")
      .def_prop_ro("address",
                   [](const DeviceMemory& memory) {
                     return reinterpret_cast<std::uintptr_t>(memory.memory.get());
                   })
      .def_prop_ro("dtype", [](const DeviceMemory& memory) { return name_of(memory.end.dtype); });
  nb::class_<InFlight>(module, "Handle").def("test", &InFlight::test).def("wait", &InFlight::wait);
  nb::class_<Core> plan(module, "Plan");
  plan.def(nb::init<std::uintptr_t, const Transform&, const std::string&, const Layout&,
                    const Layout&>(),
           nb::arg("comm"), nb::arg("transform"), nb::arg("options"), nb::arg("input"),
           nb::arg("output"));
  bind_calls(plan);
  bind_facts(plan);
  bind_device(plan);
}

}  // namespace weft::python
