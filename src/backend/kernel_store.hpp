// Compiled kernels in files beside wisdom.
#pragma once

#include <filesystem>
#include <memory>

#include "backend/backend.hpp"

namespace weft {

/// In a folder that any number of processes may use at once. Kernels that cannot be read are not
/// found, those that cannot be written are lost, and a complaint says so.
std::shared_ptr<KernelStore> make_kernel_store(std::filesystem::path folder);

/// The store in the folder of wisdom; one that keeps nothing where there is no such folder.
std::shared_ptr<KernelStore> default_kernel_store();

}  // namespace weft
