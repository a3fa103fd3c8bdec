// The extension module: the public C++ API as Python sees it. It decides nothing; defaults, types
// of arguments and what is friendly are in the package's Python files.
#include "binding.hpp"

namespace weft::python {
namespace {

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

Numbers numpy_array(std::vector<double> values) {
  auto memory = std::make_unique<std::vector<double>>(std::move(values));
  const std::size_t size = memory->size();
  double* const data = memory->data();
  nb::capsule owner(memory.release(),
                    [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
  return Numbers(data, {size}, owner);
}

}  // namespace weft::python

NB_MODULE(_core, module) {
  using namespace weft::python;
  // Plans in caches, and arrays of theirs, may live as long as the process.
  nb::set_leak_warnings(false);
  nb::exception<weft::Error> error(module, "Error", PyExc_ValueError);
  error.attr("__module__") = "weft";
  error.attr("__doc__") =
      "What a caller did wrong, or what failed, in a sentence; the same on every rank for mistakes "
      "in plans.";
  module.def("version", &weft::version);
  module.def("mpi_library_version", &mpi_library_version);
  bind_files(module);
  bind_geometry(module);
  bind_transform(module);
  bind_plan(module);
  bind_sums(module);
  bind_tuning(module);
}
