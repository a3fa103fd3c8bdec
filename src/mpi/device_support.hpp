// Asks the MPI library whether it accepts addresses of device memory. The answer needs a test: some
// libraries say yes, and then crash or deliver wrong numbers.
#pragma once

#include <string>

namespace weft {

struct DeviceSupport {
  bool claimed = false;
  std::string said;  ///< the source of the answer; for people
};

/// Asks the MPI library of this process whether it accepts addresses of memory of that kind of
/// device: "cuda", "hip", "ze", or "emulated". Asks the function MPIX_Query_KIND_support (Open MPI,
/// which says "rocm" for "hip", and MPICH). If that is missing, asks MPICH's
/// MPIX_GPU_query_support, and then reads Cray MPICH's variable MPICH_GPU_SUPPORT_ENABLED. May be
/// called before MPI_Init.
DeviceSupport device_support(const std::string& kind);

}  // namespace weft
