// Ghost cells for Python. The package checks arrays and gives the address of this rank's box in
// them.
#include "binding.hpp"

namespace weft::python {
namespace {

Halo made(std::uintptr_t comm, const Layout& layout, const std::vector<Index>& below,
          const std::vector<Index>& above, const std::vector<bool>& periodic, bool corners,
          int element_bytes) {
  const GhostCells cells{per_axis(below), per_axis(above),
                         PerAxis<bool>(periodic.begin(), periodic.end()), corners};
  const nb::gil_scoped_release released;
  return Halo(communicator(comm), layout, cells, element_bytes);
}

void start(Halo& halo, std::uintptr_t address, const std::string& mistake) {
  RawArray array;
  array.data = reinterpret_cast<void*>(address);
  array.type.plain_bytes = halo.element_bytes();
  if (!mistake.empty()) array.mistake = mistake.c_str();
  const nb::gil_scoped_release released;
  halo.start(array);
}

}  // namespace

void bind_halo(nb::module_& module) {
  nb::class_<Halo>(module, "Halo")
      .def(
          "__init__",
          [](Halo* self, std::uintptr_t comm, const Layout& layout, const std::vector<Index>& below,
             const std::vector<Index>& above, const std::vector<bool>& periodic, bool corners,
             int element_bytes) {
            new (self) Halo(made(comm, layout, below, above, periodic, corners, element_bytes));
          },
          nb::arg("comm"), nb::arg("layout"), nb::arg("below"), nb::arg("above"),
          nb::arg("periodic"), nb::arg("corners"), nb::arg("element_bytes"))
      .def("start", &start, nb::arg("address"), nb::arg("mistake"),
           "Begins an update. The address is of the first element of this rank's box; a mistake "
           "ends the job.")
      .def("test", &Halo::test, nb::call_guard<nb::gil_scoped_release>(),
           "Whether the update has ended.")
      .def("wait", &Halo::wait, nb::call_guard<nb::gil_scoped_release>(),
           "Returns when the update has ended.")
      .def_prop_ro(
          "layout", [](const Halo& self) { return self.layout(); },
          "The layout of the arrays, with room for the ghost cells.");
}

}  // namespace weft::python
