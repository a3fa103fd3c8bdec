// The table of FFT engines, built once when first used, since optional libraries may not load.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "engine/engine.hpp"
#include "layout/names.hpp"

namespace weft {

Engine fftw_engine();
bool fftw_loads();
Engine weft_engine();
#ifdef WEFT_HAVE_MKL
Engine mkl_engine();
bool mkl_loads();
#endif

namespace {

/// The device itself plans transforms by its own library.
Engine library_engine() {
  Engine engine;
  engine.name = "library";
  engine.description = "the FFT library of the device";
  engine.supports = [](LineKind kind, Precision) { return !is_trigonometric(kind); };
  engine.plan = nullptr;
  engine.on_host = false;
  engine.on_devices = true;
  return engine;
}

std::vector<std::string> names_of_engines(const std::function<bool(const Engine&)>& suits) {
  std::vector<std::string> names;
  for (const Engine& engine : engines())
    if (suits(engine)) names.push_back(engine.name);
  return names;
}

}  // namespace

const std::vector<Engine>& engines() {
  static const std::vector<Engine> table = [] {
    std::vector<Engine> built{weft_engine()};
    if (fftw_loads()) built.push_back(fftw_engine());
#ifdef WEFT_HAVE_MKL
    if (mkl_loads()) built.push_back(mkl_engine());
#endif
    built.push_back(library_engine());
    return built;
  }();
  return table;
}

std::vector<std::string> engine_names() { return names_of_engines(&Engine::on_host); }

std::vector<std::string> all_engine_names() {
  return names_of_engines([](const Engine&) { return true; });
}

const Engine& find_engine(const std::string& name) {
  const auto& table = engines();
  if (name == "auto") return table.front();
  const auto found = std::ranges::find(table, name, &Engine::name);
  if (found == table.end())
    throw Error(fmt::format("engine \"{}\": {}", name,
                            valid_instead_of(name, all_engine_names(), "valid are auto,")));
  return *found;
}

void require_support(const Engine& engine, LineKind kind, Precision precision) {
  if (engine.supports(kind, precision)) return;
  const std::vector<std::string> able =
      names_of_engines([&](const Engine& other) { return other.supports(kind, precision); });
  throw Error(fmt::format("engine {}: has no {} in {} precision; engines that have it: {}",
                          engine.name, to_string(kind), to_string(precision),
                          able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
}

}  // namespace weft
