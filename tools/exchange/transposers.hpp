// All transposers: Weft's exchange methods and their competitors.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "exchange/transposer.hpp"

namespace weft::bench {

/// MPI's own collective, without packing: for one row on each rank.
inline constexpr const char* plain_alltoall = "MPI_Alltoall";

/// Whether the name belongs to a method of Weft.
bool is_exchange(const std::string& name);

/// Other libraries: "fftw-mpi", "pdgemr2d" and "pdtran".
std::vector<std::string> baseline_names();
/// True if this build has it.
bool has_baseline(const std::string& name);

/// Makes a transposer of any of these names; `options` are for Weft's methods. One that brings its
/// own arrays stores their addresses in the matrix. Collective. Throws an Error on all ranks if it
/// is missing or cannot run.
std::unique_ptr<Transposer> make_transposer(const std::string& name, const Options& options,
                                            Matrix& matrix);

}  // namespace weft::bench
