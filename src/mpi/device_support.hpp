// What MPI says about addresses of a device's memory. Nobody should believe it without a test: it
// is known to say yes and crash, or to deliver wrong numbers.
#pragma once

#include <string>

namespace weft {

struct DeviceSupport {
  bool claimed = false;
  std::string said;  ///< by whom; for people
};

/// Asks the MPI library that this process runs with whether it takes addresses of memory of that
/// kind of device: "cuda", "hip", "ze", or "emulated". By function MPIX_Query_KIND_support (Open
/// MPI and MPICH); where it is missing, by MPICH's MPIX_GPU_query_support, and then by
/// MPICH_GPU_SUPPORT_ENABLED, the variable of Cray MPICH. May be called before MPI_Init.
DeviceSupport device_support(const std::string& kind);

}  // namespace weft
