// The outside libraries that `weft exchange` measures beside Weft's methods.
#pragma once

#include <string>
#include <vector>

#include "exchange/transposer.hpp"

namespace weft::bench {

/// "fftw-mpi", "pdgemr2d" and "pdtran".
const std::vector<std::string>& baseline_names();
/// True where this build has it.
bool has_baseline(const std::string& name);
/// Collective. Throws an Error on all ranks where it is not there, or cannot.
std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix);

}  // namespace weft::bench
