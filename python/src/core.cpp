// The extension module: the public C++ API as Python sees it. It decides nothing; defaults, types
// of arguments and friendly forms of them are in the package's Python files.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "seen.hpp"

namespace weft::python {
namespace {

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return {text, static_cast<std::size_t>(length)};
}

/// Ends the job unless this process has ended by then. A thread of C++ waits, because those of
/// Python end before MPI_Finalize, in which this rank waits for the others. Deep inside that, Open
/// MPI takes itself for finalized and can abort nothing; then mpiexec ends the job for the status.
void abort_after(double seconds, int status) {
  std::thread([seconds, status] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0) MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }).detach();
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
  module.def("abort_after", &abort_after, nb::arg("seconds"), nb::arg("status"));
  module.attr("lost_gradients") = lost_gradients;
#ifdef WEFT_WITH_COMMAND
  bind_command(module);
#endif
  bind_files(module);
  bind_geometry(module);
  bind_halo(module);
  bind_transform(module);
  bind_plan(module);
  bind_sums(module);
  bind_tuning(module);
}
