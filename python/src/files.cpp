// Files that are made safely, for the package's files.py.
#include "binding.hpp"
#include "file/file_names.hpp"
#include "file/new_file.hpp"

namespace weft::python {

void bind_files(nb::module_& module) {
  nb::class_<NewFile>(module, "NewFile")
      .def(nb::init<const std::string&, std::int64_t>(), nb::arg("target"), nb::arg("bytes"),
           "A file in the making beside the target, as one process makes it.")
      .def_prop_ro("target", &NewFile::target, "The file that it replaces, behind symbolic links.")
      .def_prop_ro("path", &NewFile::path, "Its name until then.")
      .def_prop_ro(
          "token",
          [](const NewFile& self) { return nb::bytes(self.token().data(), self.token().size()); },
          "The bytes at its beginning until others are written there.")
      .def_prop_ro("descriptor", &NewFile::descriptor, "Open for reading and writing.")
      .def("publish", &NewFile::publish, "Gives it the target's name.")
      .def("discard", &NewFile::discard, "Removes it unless it was published.");
  module.def("check_replaceable", &check_replaceable, nb::arg("target"), nb::arg("bytes"),
             "An Error where a file of that name cannot be replaced.");
  module.def("temporary_ending", &temporary_ending,
             "An ending that no other name has: it names the process that made it, and is random.");
  module.def("is_abandoned", &is_abandoned, nb::arg("ending"),
             "Whether a process that is certainly gone has made that ending.");
  module.def("mpi_file_names", &mpi_file_names, nb::arg("path"),
             "Names of the file to try in MPI-IO, in this order.");
}

}  // namespace weft::python
