// Transform, made from a text and read as plain values.
#include "given.hpp"

namespace weft::python {
namespace {

Tuple<std::string> kind_names(const Transform& transform) {
  nb::list names;
  for (Kind kind : transform.kinds) names.append(to_string(kind));
  return Tuple<std::string>(nb::tuple(names));
}

Transform from_text(const std::string& text) {
  Transform transform = Transform::parse(text);
  validate(transform);
  return transform;
}

}  // namespace

void bind_transform(nb::module_& module) {
  nb::class_<Transform>(module, "Transform")
      .def(
          "__init__",
          [](Transform* self, const std::string& text) { new (self) Transform(from_text(text)); },
          nb::arg("text"))
      .def_prop_ro(
          "shape", [](const Transform& self) { return tuple_of(self.shape); },
          "The shape of the physical array.")
      .def_prop_ro("kinds", &kind_names, "A kind for each axis.")
      .def_prop_ro(
          "precision", [](const Transform& self) { return to_string(self.precision); },
          "'double' or 'float'.")
      .def_prop_ro(
          "norm", [](const Transform& self) { return to_string(self.scale); },
          "'backward', 'ortho', 'forward' or a number, as text.")
      .def_prop_ro(
          "spectral_shape", [](const Transform& self) { return tuple_of(self.spectral_shape()); },
          "The shape of the spectrum.")
      .def_prop_ro("physical_is_real", &Transform::physical_is_real,
                   "Whether the physical array holds real numbers.")
      .def_prop_ro("spectral_is_real", &Transform::spectral_is_real,
                   "Whether the spectrum holds real numbers: for DCT and DST, and if no axis is "
                   "transformed.")
      .def_prop_ro(
          "element_bytes", [](const Transform& self) { return self.element_bytes; },
          "The bytes of an element that is moved as it is; 0: numbers.")
      .def_prop_ro("logical_size", &Transform::logical_size,
                   "N, by whose inverse backward of norm='backward' is scaled.")
      .def(
          "wavenumbers",
          [](const Transform& self, const Given<int>& axis) {
            return self.wavenumbers(axis.as("axis"));
          },
          nb::arg("axis"),
          "The wavenumbers of the spectrum's indices along an axis, as they lie in memory.")
      .def("__getstate__", [](const Transform& self) { return to_string(self); })
      .def("__setstate__",
           [](Transform& self, const std::string& text) { new (&self) Transform(from_text(text)); })
      .def("__str__", [](const Transform& self) { return to_string(self); });
}

}  // namespace weft::python
