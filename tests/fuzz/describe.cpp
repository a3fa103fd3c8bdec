// Fuzzes planning, which needs no MPI: whatever is asked for, there is either one clear error or a
// plan for every rank. An input is three lines as `weft describe` has them: the transform, the
// options, and the numbers of ranks and of ranks per node. They are bounded, so that an input takes
// milliseconds.
#include "plan/describe.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <weft/error.hpp>
#include <weft/plan.hpp>

#include "machine/caches.hpp"
#include "require.hpp"

namespace weft::test {
namespace {

constexpr int most_ranks = 64;
constexpr Index longest_axis = 300;  ///< with tables of modes, which grow with it
constexpr int most_chunks = 12;
constexpr int most_fields = 4;

struct Input {
  Transform transform;
  Options options;
  int ranks = 1;
  int ranks_per_node = 0;
};

bool is_small(const Input& input) {
  const auto is_short = [&](Index length) {
    return length <= longest_axis ||
           (input.transform.modes.empty() && input.transform.ellipse.empty());
  };
  return std::ranges::all_of(input.transform.shape, is_short) && input.ranks <= most_ranks &&
         input.options.producer_chunks <= most_chunks &&
         input.options.consumer_chunks <= most_chunks && input.options.fields <= most_fields;
}

std::optional<Input> parsed(const std::string& text) {
  std::istringstream lines(text);
  std::string transform, options, ranks;
  std::getline(lines, transform);
  std::getline(lines, options);
  std::getline(lines, ranks);
  try {
    Input input{Transform::parse(transform), Options::parse(options)};
    std::istringstream(ranks) >> input.ranks >> input.ranks_per_node;
    if (is_small(input)) return input;
  } catch (const Error&) {
  }
  return std::nullopt;
}

/// Every rank has a plan, and the ranks' boxes hold as many elements as both arrays.
void check_route(const Route& route, const Input& input, const std::string& text) {
  const auto shape =
      std::make_shared<const ProgramShape>(shape_program(route, input.options.fields));
  for (int rank = 0; rank < input.ranks; ++rank) {
    const ProgramPlan plan = plan_program(shape, rank);
    require(plan.rank == rank, "a rank gets its own plan", text);
  }
  Index source = 0, target = 0;
  for (int rank = 0; rank < input.ranks; ++rank) {
    source += route.source.layout.box(rank).volume();
    target += route.target.layout.box(rank).volume();
  }
  require(source == volume(route.source.layout.global()), "the boxes hold all of the input", text);
  require(target == volume(route.target.layout.global()), "the boxes hold all of the output", text);
}

void check(const std::string& text) {
  const std::optional<Input> input = parsed(text);
  if (!input) return;
  const RouteRequest request{input->transform, input->options, {}, {}};
  const auto check_end = [&](const std::string& description) {
    require(description.find("memory: ") != std::string::npos, "a plan is described to its end",
            text);
  };
  try {
    check_end(describe(input->transform, input->options, input->ranks, input->ranks_per_node));
    const Topology topology = Topology::uniform(input->ranks, input->ranks_per_node);
    const Routes routes = make_routes(request, topology, Caches());
    check_route(routes.forward, *input, text);
    check_route(routes.backward, *input, text);
    check_end(describe(request, routes, topology, Caches(), input->ranks - 1, nullptr));
  } catch (const Error& error) {
    require_message(error.what());
  }
}

}  // namespace
}  // namespace weft::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::test::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
