// What solvers ask of the arrays of a plan: wavenumbers, weights, energies.
#include "plan.hpp"

namespace weft::python {
namespace {

/// For each axis the wavenumbers of this rank's modes, in periods or half periods, and how often
/// each counts.
nb::tuple wavenumbers(Core& core) {
  const Wavenumbers all(core.plan());
  nb::list along, weights;
  for (int axis = 0; axis < all.box().axes(); ++axis) {
    along.append(nb::cast(numpy_array(all.along(axis))));
    weights.append(nb::cast(numpy_array(all.weights(axis))));
  }
  return nb::make_tuple(nb::tuple(along), nb::tuple(weights));
}

/// The weights of that end's elements, by axis, and the factor of their mean square.
nb::tuple mean_square_weights(Core& core, bool is_input) {
  const MeanSquareWeights all(core.plan(), side_of(is_input));
  nb::list weights;
  for (const std::vector<double>& axis : all.weights) weights.append(nb::cast(numpy_array(axis)));
  return nb::make_tuple(nb::tuple(weights), all.factor);
}

Numbers energy_by_shell(Core& core, nb::handle spectrum, const std::vector<double>& lengths) {
  const Side side = core.spectrum();
  const Fields fields(core.plan(), spectrum, core.end(side), Access::read);
  const RawArray& raw = fields.raw().at(0);
  if (raw.mistake != nullptr) throw Error(std::string("the spectrum ") + raw.mistake);
  const auto energies = [&](auto zero) {
    using T = decltype(zero);
    const Layout& layout = core.plan().layout(side);
    const int rank = core.plan().rank();
    const Array<T> array(std::shared_ptr<void>(std::shared_ptr<void>(), raw.data), layout.box(rank),
                         layout.strides(rank));
    const nb::gil_scoped_release free;
    return energy_by_shell(core.plan(), array, lengths);
  };
  const bool is_double = raw.type.precision == Precision::double_;
  if (raw.type.real) return numpy_array(is_double ? energies(0.0) : energies(0.0F));
  return numpy_array(is_double ? energies(std::complex<double>())
                               : energies(std::complex<float>()));
}

}  // namespace

void bind_sums(nb::module_& module) {
  module.def("wavenumbers", &wavenumbers, nb::arg("plan"));
  module.def("mean_square_weights", &mean_square_weights, nb::arg("plan"), nb::arg("is_input"));
  module.def(
      "energy_by_shell",
      [](Core& core, nb::handle spectrum, const std::vector<double>& lengths) {
        return energy_by_shell(core, spectrum, lengths);
      },
      nb::arg("plan"), nb::arg("spectrum"), nb::arg("lengths"));
}

}  // namespace weft::python
