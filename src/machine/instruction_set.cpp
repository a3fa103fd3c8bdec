// The limit belongs to the process, because Highway keeps one table of targets for all kernels.
#include "machine/instruction_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>
#include <weft/error.hpp>

namespace weft {
namespace {

struct InstructionSet {
  const char* name;
  std::int64_t target;  // Highway's bit; better instruction sets have lower bits
};

constexpr InstructionSet known[] = {
    {"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}, {"neon", HWY_NEON}};
constexpr const char* without_vectors = "plain";

/// The names of this processor's instruction sets, best first. Detected once, because detecting
/// makes Highway forget a limit.
const std::vector<std::string>& names_on_this_processor() {
  static const std::vector<std::string> detected = [] {
    std::vector<std::string> names;
    for (const InstructionSet& one : known)
      if ((hwy::SupportedTargets() & one.target) != 0) names.emplace_back(one.name);
    names.emplace_back(without_vectors);
    return names;
  }();
  return detected;
}

std::int64_t targets_better_than(const std::string& name) {
  for (const InstructionSet& one : known)
    if (name == one.name) return one.target - 1;
  return name.empty() ? 0 : ~std::int64_t{0};
}

struct Limit {
  std::mutex mutex;
  std::string name;
};

Limit& process_limit() {
  static Limit limit;
  return limit;
}

}  // namespace

std::string instruction_set() {
  Limit& limit = process_limit();
  const std::lock_guard lock(limit.mutex);
  return limit.name.empty() ? names_on_this_processor().front() : limit.name;
}

void limit_instruction_set(const std::string& name) {
  const std::vector<std::string>& valid = names_on_this_processor();
  if (!name.empty() && std::find(valid.begin(), valid.end(), name) == valid.end())
    throw Error(fmt::format("WEFT_INSTRUCTIONS \"{}\": this processor has {}", name,
                            fmt::join(valid, ", ")));
  Limit& limit = process_limit();
  const std::lock_guard lock(limit.mutex);
  if (name == limit.name) return;
  limit.name = name;
  hwy::DisableTargets(targets_better_than(name));
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace weft
