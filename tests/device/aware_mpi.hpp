// An MPI that takes addresses of emulated devices, or only says so. It stands before the real one.
#pragma once

#include <cstddef>
#include <functional>

namespace weft::test {

/// How MPI treats blocks at addresses of a device.
struct AwareMpi {
  bool says_yes = true;  ///< by MPIX_Query_emulated_support, and _rocm_support
  /// Called before a block of that size leaves. False: other bytes are sent in its place.
  std::function<bool(std::size_t bytes, bool is_collective)> delivers = [](std::size_t, bool) {
    return true;
  };
  /// The result of calls: MPI_SUCCESS, or an error, and then they do nothing.
  int status = 0;
};

/// How MPI is from now on.
void pretend(AwareMpi mpi);

/// The number of addresses of devices that MPI has been given since the last call.
int device_addresses();

}  // namespace weft::test
