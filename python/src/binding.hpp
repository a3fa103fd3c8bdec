// Conversions between Python's objects and Weft's values, for all files of the binding.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>
#include <weft/weft.hpp>

namespace weft::python {

namespace nb = nanobind;

/// A communicator as mpi4py's Comm.handle gives it: MPI's handles are integers (MPICH and its
/// relatives) or pointers (Open MPI). A template, because only one of the two casts compiles.
template <class Handle = MPI_Comm>
Handle communicator(std::uintptr_t handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(handle);
  else
    return static_cast<Handle>(handle);
}

/// The integer that mpi4py calls a communicator's handle.
template <class Handle>
std::uintptr_t handle_of(Handle communicator) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<std::uintptr_t>(communicator);
  else
    return static_cast<std::uintptr_t>(communicator);
}

template <class T>
PerAxis<T> per_axis(const std::vector<T>& values) {
  return PerAxis<T>(values.begin(), values.end());
}

template <class T>
std::vector<T> list_of(const PerAxis<T>& values) {
  return {values.begin(), values.end()};
}

/// A tuple of any length whose entries are of one type.
template <class T>
using Tuple = nb::typed<nb::tuple, T, nb::ellipsis>;

template <class Range>
auto tuple_of(const Range& values) {
  using Value = std::remove_cvref_t<decltype(*values.begin())>;
  nb::list list;
  for (const Value& value : values) list.append(value);
  return Tuple<Value>(nb::tuple(list));
}

/// A rank's box. An empty box has its corners inside the global array, as NumPy's slices and shapes
/// need.
Box box_of(const Layout& layout, int rank);

/// A NumPy array of its own with these numbers.
using Numbers = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
Numbers numpy_array(std::vector<double> values);

void bind_command(nb::module_& module);    // the weft command, where the extension contains it
void bind_files(nb::module_& module);      // NewFile
void bind_geometry(nb::module_& module);   // Box, Layout
void bind_halo(nb::module_& module);       // Halo
void bind_transform(nb::module_& module);  // Transform
void bind_plan(nb::module_& module);       // Plan, Handle
void bind_sums(nb::module_& module);       // wavenumbers and weights
void bind_tuning(nb::module_& module);     // tune, describe, the names of options

}  // namespace weft::python
