// Keeps compiled kernels in files beside wisdom.
#pragma once

#include <filesystem>
#include <memory>

#include "backend/backend.hpp"

namespace weft {

/// A store in a folder that any number of processes may use at once. A kernel that cannot be read
/// counts as not found; one that cannot be written is lost. Both are reported once on stderr.
std::shared_ptr<KernelStore> make_kernel_store(std::filesystem::path folder);

/// The store in the folder of wisdom; a store that keeps nothing if there is no folder.
std::shared_ptr<KernelStore> default_kernel_store();

}  // namespace weft
