// The table of rivals, and what becomes of one that is not there or cannot.
#include "bench/rivals.hpp"

#include <algorithm>

#include "bench/modules.hpp"
#include "parallel_file.hpp"

namespace weft::bench {
namespace {

struct Known {
  std::string name;
  std::string library;  ///< what the build looks for
};

const std::vector<Known>& known_rivals() {
  static const std::vector<Known> all = {
      {"fftw-mpi", "FFTW-MPI (libfftw3_mpi)"},
      {"mkl", "MKL's cluster FFT (libmkl_cdft_core and a libmkl_blacs)"},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& rival_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Known& rival : known_rivals()) result.push_back(rival.name);
    return result;
  }();
  return names;
}

RivalModule open_rival(const std::string& name, MPI_Comm communicator) {
  RivalModule module;
  module.name = name;
  try {
    command::agree_on(communicator, [&] {
      const auto known = std::ranges::find(known_rivals(), name, &Known::name);
      if (known == known_rivals().end()) throw Error("it is not a library that bench knows");
      module.make =
          reinterpret_cast<MakeRival*>(module_entry(name, known->library, "weft_bench_rival"));
    });
  } catch (const Error& error) {
    module.make = nullptr;
    module.unavailable = error.what();
  }
  return module;
}

PlannedRival plan_rival(const RivalModule& module, const Problem& problem) {
  PlannedRival rival;
  rival.name = module.name;
  rival.unavailable = module.unavailable;
  if (module.make == nullptr) return rival;
  try {
    module.make(problem, rival);
  } catch (const Error& error) {
    rival.candidates.clear();
    rival.unavailable = error.what();
  }
  return rival;
}

}  // namespace weft::bench
