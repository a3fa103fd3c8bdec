// The search for the fastest options, routes of jobs that do not run, and the names of options.
#include <nanobind/stl/function.h>

#include "binding.hpp"

namespace weft::python {
namespace {

/// Options as text, seconds as predicted, seconds as measured, why it could not run.
using PlainTrial = std::tuple<std::string, double, double, std::string>;

PlainTrial plain(const Trial& trial) {
  return {to_string(trial.options), trial.predicted_seconds, trial.measured_seconds, trial.failure};
}

std::vector<PlainTrial> tuned(std::uintptr_t comm, const Transform& transform,
                              const std::string& options, double seconds, const nb::object& report,
                              const Layout& input, const Layout& output) {
  const auto tell = [&](const Trial& trial) {
    const nb::gil_scoped_acquire held;
    if (!report.is_none()) report(plain(trial));
  };
  const nb::gil_scoped_release free;
  std::vector<PlainTrial> trials;
  for (const Trial& trial :
       tune(communicator(comm), transform, Options::parse(options), seconds, tell, input, output))
    trials.push_back(plain(trial));
  return trials;
}

std::uintptr_t placed(std::uintptr_t comm, const std::vector<int>& grid,
                      const std::string& network) {
  const nb::gil_scoped_release free;
  return handle_of(place(communicator(comm), grid, network));
}

std::string described(const Transform& transform, const std::string& options, int ranks,
                      int ranks_per_node) {
  return describe(transform, Options::parse(options), ranks, ranks_per_node);
}

}  // namespace

void bind_tuning(nb::module_& module) {
  module.def("tune", &tuned, nb::arg("comm"), nb::arg("transform"), nb::arg("options"),
             nb::arg("seconds"), nb::arg("report").none(), nb::arg("input"), nb::arg("output"));
  module.def("place", &placed, nb::arg("comm"), nb::arg("grid"), nb::arg("network"));
  module.def("describe", &described, nb::arg("transform"), nb::arg("options"), nb::arg("ranks"),
             nb::arg("ranks_per_node"));
  module.def(
      "normal_options", [](const std::string& text) { return to_string(Options::parse(text)); },
      nb::arg("text"));
  module.def("option_keys", &option_keys);
  module.def("exchange_names", &all_exchange_names);
  module.def("engine_names", &engine_names);
}

}  // namespace weft::python
