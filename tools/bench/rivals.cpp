// The table of rivals, and how one is reported that is missing or cannot run.
#include "bench/rivals.hpp"

#include "bench/modules.hpp"
#include "ranks.hpp"

namespace weft::bench {
namespace {

const std::vector<Module>& rivals() {
  static const std::vector<Module> all = {
      {"fftw-mpi", "fftw-mpi", "FFTW-MPI (libfftw3_mpi)"},
      {"cufft", "cufft", "cuFFT (libcufft)"},
      {"mkl", "mkl", "MKL (libmkl_cdft_core and a libmkl_blacs)"},
  };
  return all;
}

}  // namespace

std::vector<std::string> rival_names() { return names_of(rivals()); }

PlannedRival open_rival(const std::string& name, MPI_Comm communicator) {
  PlannedRival rival;
  rival.name = name;
  try {
    agree(communicator, [&] {
      void* const entry = find_module(rivals(), name).open("weft_bench_rival");
      rival.make = reinterpret_cast<MakeRival*>(entry);
    });
  } catch (const Error& error) {
    rival.make = nullptr;
    rival.unavailable = error.what();
  }
  return rival;
}

void PlannedRival::plan(const Problem& problem) {
  if (make == nullptr) return;
  try {
    make(problem, *this);
  } catch (const Error& error) {
    candidates.clear();
    unavailable = error.what();
  }
}

}  // namespace weft::bench
