// Baselines are modules loaded at run time, as bench's rivals are, and for the same reason.
#include "exchange/baselines.hpp"

#include <algorithm>

#include "bench/modules.hpp"
#include "parallel_file.hpp"

namespace weft::bench {
namespace {

struct Known {
  std::string name;
  std::string module;
  std::string library;  ///< what the build looks for
};

const std::vector<Known>& known_baselines() {
  static const std::vector<Known> all = {
      {"fftw-mpi", "fftw-mpi-transpose", "FFTW-MPI (libfftw3_mpi)"},
      {"pdgemr2d", "scalapack", "ScaLAPACK (libscalapack)"},
      {"pdtran", "scalapack", "ScaLAPACK (libscalapack)"},
  };
  return all;
}

const Known& find_baseline(const std::string& name) {
  const auto known = std::ranges::find(known_baselines(), name, &Known::name);
  if (known == known_baselines().end())
    throw Error("\"" + name + "\" is not a baseline that the command knows");
  return *known;
}

}  // namespace

const std::vector<std::string>& baseline_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Known& known : known_baselines()) result.push_back(known.name);
    return result;
  }();
  return names;
}

bool has_baseline(const std::string& name) {
  return !module_file(find_baseline(name).module).empty();
}

std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix) {
  MakeTransposer* make = nullptr;
  command::agree_on(matrix.communicator, [&] {
    const Known& known = find_baseline(name);
    make = reinterpret_cast<MakeTransposer*>(
        module_entry(known.module, known.library, "weft_bench_transposer"));
  });
  std::unique_ptr<Transposer> made;
  make(name, matrix, made);
  return made;
}

}  // namespace weft::bench
