// The weft command inside the extension, so that a wheel needs no second copy of the library.
#include "binding.hpp"
#include "program.hpp"

namespace weft::python {
namespace {

int run_command(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);  // as behind the arguments of main
  return command::start(static_cast<int>(arguments.size()), pointers.data());
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", &run_command, nb::arg("arguments"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Runs the weft command with the arguments of main on all ranks; its exit code.");
}

}  // namespace weft::python
