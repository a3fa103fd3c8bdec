// Functions are looked up at run time, because headers do not say which library a program runs
// with, nor how that library was built.
#include "mpi/device_support.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "mpi/library_name.hpp"

namespace weft {
namespace {

using Query = int (*)();
using QueryOfType = int (*)(int type, int* is_supported);

template <class Function>
Function find(const std::string& name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name.c_str()));
}

/// MPICH's number of a kind of device: its MPIX_GPU_SUPPORT_CUDA, _ZE and _HIP.
std::optional<int> mpich_type(std::string_view kind) {
  constexpr std::array<std::string_view, 3> kinds{"cuda", "ze", "hip"};
  for (std::size_t type = 0; type < kinds.size(); ++type)
    if (kinds[type] == kind) return static_cast<int>(type);
  return std::nullopt;
}

DeviceSupport answer(const std::string& asked, bool claimed) {
  return {claimed, fmt::format("{} of {} says {}", asked, mpi_name(), claimed ? "yes" : "no")};
}

}  // namespace

DeviceSupport device_support(const std::string& kind) {
  const std::string query = fmt::format("MPIX_Query_{}_support", kind);
  if (const auto function = find<Query>(query)) return answer(query, function() == 1);
  const std::string of_open_mpi = "MPIX_Query_rocm_support";
  if (const auto function = kind == "hip" ? find<Query>(of_open_mpi) : nullptr)
    return answer(of_open_mpi, function() == 1);
  const std::optional<int> type = mpich_type(kind);
  const std::string general = "MPIX_GPU_query_support";
  if (const auto function = find<QueryOfType>(general); function && type) {
    int is_supported = 0;
    return answer(general, function(*type, &is_supported) == 0 && is_supported != 0);
  }
  const char* const enabled = std::getenv("MPICH_GPU_SUPPORT_ENABLED");
  if (enabled && type) return answer("MPICH_GPU_SUPPORT_ENABLED", std::string(enabled) == "1");
  return {false, fmt::format("{} has no function {}", mpi_name(), query)};
}

}  // namespace weft
