// The table of FFT engines, built once when first used, since optional libraries may not load.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pass/engine.hpp"

namespace weft {

Engine fftw_engine();
bool fftw_loads();
Engine weft_engine();
#ifdef WEFT_HAVE_MKL
Engine mkl_engine();
bool mkl_loads();
#endif

const std::vector<Engine>& engines() {
  static const std::vector<Engine> table = [] {
    std::vector<Engine> built{weft_engine()};
    if (fftw_loads()) built.push_back(fftw_engine());
#ifdef WEFT_HAVE_MKL
    if (mkl_loads()) built.push_back(mkl_engine());
#endif
    return built;
  }();
  return table;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Engine& engine : engines()) names.push_back(engine.name);
  return names;
}

const Engine& find_engine(const std::string& name) {
  const auto& table = engines();
  if (name == "auto") return table.front();
  const auto found = std::ranges::find(table, name, &Engine::name);
  if (found == table.end())
    throw Error(
        fmt::format("engine \"{}\": valid are auto, {}", name, fmt::join(engine_names(), ", ")));
  return *found;
}

void require_support(const Engine& engine, LineKind kind, Precision precision) {
  if (engine.supports(kind, precision)) return;
  std::vector<std::string> able;
  for (const Engine& other : engines())
    if (other.supports(kind, precision)) able.push_back(other.name);
  throw Error(fmt::format("engine {}: has no {} in {} precision; engines that have it: {}",
                          engine.name, to_string(kind), to_string(precision),
                          able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
}

}  // namespace weft
