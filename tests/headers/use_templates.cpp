// Instantiates the templates of the public headers, whose warnings only then appear. It is compiled
// and never run, so that it may be short: nothing here computes anything.
#include <mpi.h>

#include <array>
#include <complex>
#include <span>
#include <utility>
#include <vector>
#include <weft/weft.hpp>

namespace {

template <class T>
void use_array(weft::Array<T> array) {
  array.fill([](const weft::Point& point) { return T(static_cast<float>(point[0])); });
  array(0, weft::Index{1}, short{2}) = array.at({0, 1, 2});
}

template <class Real>
void use_plan(weft::Plan& plan) {
  using Complex = std::complex<Real>;
  auto field = plan.input<Real>();
  auto spectrum = plan.output<Complex>();
  use_array(field);
  use_array(spectrum);
  plan.forward(field, spectrum);
  plan.backward(std::vector<Complex>(), std::span<Real>());
  plan.forward(std::array{field, field}, std::vector{spectrum, spectrum}, 0.5);
  plan.start_backward(spectrum, field.data()).wait();
  weft::SpectralOperators operators(plan.transform(), {1, 1, 1});
  plan.apply<Complex>(field, field, operators.laplacian<Complex>());
  plan.apply<Complex>(field, std::vector{field, field, field}, operators.gradient<Complex>());
  plan.apply<Complex>(std::array{field, field}, std::array{field}, operators.curl<Complex>());
  plan.unpack_plane<Complex>(spectrum.data(), nullptr, nullptr);
  plan.pack_plane<Complex>(nullptr, nullptr, spectrum.data());
}

template <class Real>
double use_sums(const weft::Plan& plan, weft::Array<Real> field,
                weft::Array<std::complex<Real>> spectrum) {
  const weft::Wavenumbers waves(plan);
  double sum = static_cast<double>(weft::global_sum(plan, field)) +
               std::abs(std::complex<double>(weft::global_sum(plan, spectrum))) +
               weft::mean_square(plan, weft::Side::input, field) +
               weft::mean_square(plan, weft::spectral_side(plan), spectrum) +
               weft::energy_by_shell(plan, spectrum).front();
  waves.for_each([&](const auto& k, double weight, std::size_t) { sum += weight * k[0]; });
  waves.for_each(spectrum, [](const auto&, double, auto& element) { element = {}; });
  waves.for_each(std::as_const(spectrum),
                 [&](const auto&, double, const auto& element) { sum += std::abs(element); });
  return sum;
}

}  // namespace

int main() {
  weft::Plan plan(MPI_COMM_WORLD, {8, 8, 8}, weft::Kind::r2c);
  use_plan<double>(plan);
  use_plan<float>(plan);
  use_sums(plan, plan.make_input<double>(), plan.make_output<std::complex<double>>());
  use_sums(plan, plan.make_input<float>(), plan.make_output<std::complex<float>>());
}
