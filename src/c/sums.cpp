// Functions of arrays for solvers in C: wavenumbers, sums, energies, the packed plane. All but the
// first are collective, so the ranks first agree on whether the arguments are right.
#include <algorithm>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

/// A typed view of the caller's array at that end.
template <class T>
Array<T> view(const Plan& plan, Side side, const void* data) {
  const Layout& layout = plan.layout(side);
  return {std::shared_ptr<void>(std::shared_ptr<void>(), const_cast<void*>(data)), layout,
          plan.rank()};
}

/// Throws for a plan that only moves elements.
void require_numbers(ElementType type) {
  if (type.plain_bytes > 0)
    throw Error("sums: this plan moves elements of any type; valid are plans of numbers");
}

/// Calls `work` with a zero of that type.
template <class Work>
auto with_element(ElementType type, Work&& work) {
  const bool is_double = type.precision == Precision::double_;
  if (type.real) return is_double ? work(0.0) : work(0.0F);
  return is_double ? work(std::complex<double>()) : work(std::complex<float>());
}

/// Ranks that hold nothing may pass NULL.
void require_array(const Plan& plan, const Box& held, const void* array, const char* name) {
  if (!held.empty() && array == nullptr)
    throw Error(std::string(name) + ": is NULL, but this rank holds a part of it");
  if (array != nullptr && plan.is_on_device(array))
    throw Error(std::string(name) + ": lies in the memory of a device; valid is one of the host");
}

Box held(const Plan& plan, Side side) { return plan.layout(side).box(plan.rank()); }

/// The end of the plan where an array is.
Side agreed_side(const Plan& plan, weft_side side, const void* array, const double* result,
                 const char* result_name) {
  Side end{};
  plan.agree([&] {
    required(result, result_name);
    end = side_of(side);
    require_numbers(plan.element_type(end));
    require_array(plan, held(plan, end), array, "array");
  });
  return end;
}

/// Checks the arrays of the spectrum and of its two planes. Collective.
void agree_on_planes(const Plan& plan, const void* spectrum, const void* mean,
                     const void* nyquist) {
  const Box plane = plan.packed_plane();
  plan.agree([&] {
    require_array(plan, held(plan, Side::output), spectrum, "spectrum");
    require_array(plan, plane, mean, "mean");
    require_array(plan, plane, nyquist, "nyquist");
  });
}

}  // namespace

weft_status weft_wavenumbers(weft_plan plan, int axis, const double lengths[], double wavenumbers[],
                             double weights[]) {
  return with_plan(plan, [&](const Plan& own) {
    const int along = axis_of(axis, own.transform().shape.size());
    const Wavenumbers all =
        lengths != nullptr ? Wavenumbers(own, lengths_of(own, lengths)) : Wavenumbers(own);
    if (all.along(along).empty()) return;
    std::ranges::copy(all.along(along), &required(wavenumbers, "wavenumbers"));
    if (weights != nullptr) std::ranges::copy(all.weights(along), weights);
  });
}

weft_status weft_global_sum(weft_plan plan, weft_side side, const void* array, double sum[2]) {
  return with_plan(plan, [&](const Plan& own) {
    const Side end = agreed_side(own, side, array, sum, "sum");
    const std::complex<double> total = with_element(own.element_type(end), [&](auto zero) {
      return std::complex<double>(global_sum(own, view<decltype(zero)>(own, end, array)));
    });
    sum[0] = total.real();
    sum[1] = total.imag();
  });
}

weft_status weft_mean_square(weft_plan plan, weft_side side, const void* array, double* mean) {
  return with_plan(plan, [&](const Plan& own) {
    const Side end = agreed_side(own, side, array, mean, "mean");
    *mean = with_element(own.element_type(end), [&](auto zero) {
      return mean_square(own, end, view<decltype(zero)>(own, end, array));
    });
  });
}

weft_status weft_energy_by_shell(weft_plan plan, const void* spectrum, const double lengths[],
                                 int64_t size, double energy[], int64_t* shells) {
  return with_plan(plan, [&](const Plan& own) {
    const Side end = spectral_side(own);
    const std::vector<double> edges = lengths_of(own, lengths);
    own.agree([&] {
      require_array(own, held(own, end), spectrum, "spectrum");
      shells_of(own, edges);  // whether there are shells
      if (size > 0) required(energy, "energy");
    });
    const std::vector<double> all = with_element(own.element_type(end), [&](auto zero) {
      return energy_by_shell(own, view<decltype(zero)>(own, end, spectrum), edges);
    });
    if (shells != nullptr) *shells = static_cast<int64_t>(all.size());
    const int64_t written = std::min(size, static_cast<int64_t>(all.size()));
    if (written > 0) std::copy_n(all.begin(), written, energy);
  });
}

weft_status weft_packed_plane(weft_plan plan, weft_box* box) {
  return with_plan(plan,
                   [&](const Plan& own) { required(box, "box") = box_of(own.packed_plane()); });
}

weft_status weft_unpack_plane(weft_plan plan, const void* spectrum, void* mean, void* nyquist) {
  return with_plan(plan, [&](Plan& own) {
    agree_on_planes(own, spectrum, mean, nyquist);
    const auto unpack = [&](auto zero) {
      using T = decltype(zero);
      own.unpack_plane(static_cast<const T*>(spectrum), static_cast<T*>(mean),
                       static_cast<T*>(nyquist));
    };
    own.transform().precision == Precision::double_ ? unpack(std::complex<double>())
                                                    : unpack(std::complex<float>());
  });
}

weft_status weft_pack_plane(weft_plan plan, const void* mean, const void* nyquist, void* spectrum) {
  return with_plan(plan, [&](Plan& own) {
    agree_on_planes(own, spectrum, mean, nyquist);
    const auto pack = [&](auto zero) {
      using T = decltype(zero);
      own.pack_plane(static_cast<const T*>(mean), static_cast<const T*>(nyquist),
                     static_cast<T*>(spectrum));
    };
    own.transform().precision == Precision::double_ ? pack(std::complex<double>())
                                                    : pack(std::complex<float>());
  });
}
