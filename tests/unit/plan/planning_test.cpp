// The cost of planning for many ranks: the memory that a plan keeps, which is asserted, and the
// time, which is only printed. The table of docs/performance.md comes from here.
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "exchange_method/loopback.hpp"
#include "machine/aligned_buffer.hpp"
#include "plan/program.hpp"

namespace weft {
namespace {

constexpr std::size_t kilobyte = 1000;
constexpr std::size_t megabyte = 1000 * kilobyte;

/// Bytes of the heap that are in use. Memory for data is taken before it is counted.
std::size_t heap_bytes() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/// Sanitizers have a heap of their own, of which the C library knows nothing.
bool heap_is_counted() {
  const std::size_t before = heap_bytes();
  const AlignedBuffer buffer(megabyte);
  return heap_bytes() >= before + megabyte;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Both directions of one rank, bound to memory, with every exchange replaced by one that keeps
/// the buffers and pieces of packed blocks but needs no MPI.
class RankPlan {
 public:
  RankPlan(const std::vector<std::shared_ptr<const ProgramShape>>& shapes, int rank,
           const Options& options, const Caches& caches, std::byte* arena) {
    for (const auto& shape : shapes) {
      ProgramContext context;
      context.caches = &caches;
      context.options = options;
      context.fields.push_back({arena, {}, nullptr});
      for (std::size_t e = 0; e < shape->route.exchanges.size(); ++e) {
        worlds_.push_back(std::make_unique<LoopbackWorld>());
        context.loopback.push_back({worlds_.back().get()});
      }
      programs_.push_back(std::make_unique<Program>(plan_program(shape, rank), context));
    }
  }

  /// Bytes of the tiles, whose size depends on the caches.
  std::size_t tile_bytes() const {
    std::size_t bytes = 0;
    for (const auto& program : programs_) bytes += program->tile_bytes();
    return bytes;
  }

 private:
  std::vector<std::unique_ptr<LoopbackWorld>> worlds_;
  std::vector<std::unique_ptr<Program>> programs_;
};

struct Cost {
  std::size_t bytes = 0;  ///< of one rank's plan
  double seconds = 0;     ///< of planning it
};

std::vector<std::shared_ptr<const ProgramShape>> shapes_of(const RouteRequest& request, int ranks,
                                                           const Caches& caches) {
  const Routes routes = make_routes(request, Topology::uniform(ranks, 32), caches);
  std::vector<std::shared_ptr<const ProgramShape>> shapes;
  for (const Route* direction : {&routes.forward, &routes.backward}) {
    Route route = *direction;
    std::ranges::fill(route.methods, &find_exchange("loopback"));
    shapes.push_back(std::make_shared<const ProgramShape>(shape_program(route, 1)));
  }
  return shapes;
}

std::size_t arena_of(const std::vector<std::shared_ptr<const ProgramShape>>& shapes, int rank) {
  std::size_t bytes = 1;
  for (const auto& shape : shapes)
    bytes = std::max(bytes, plan_program(shape, rank).memory.arena_bytes);
  return bytes;
}

RouteRequest pencils_of(Index length) {
  RouteRequest request{Transform({length, length, length}, Kind::c2c), {}, {}, {}};
  request.options.decomposition = Decomposition::pencil;
  request.options.engine_effort = EngineEffort::estimate;
  return request;
}

/// One rank's part of a job of any size.
Cost cost_of_one(int ranks) {
  const Caches caches;
  const RouteRequest request = pencils_of(2048);
  const AlignedBuffer arena(arena_of(shapes_of(request, ranks, caches), 0));
  {
    const RankPlan warmed_up(shapes_of(request, ranks, caches), 0, request.options, caches,
                             arena.data());
  }
  const std::size_t before = heap_bytes();
  const auto begin = std::chrono::steady_clock::now();
  const auto shapes = shapes_of(request, ranks, caches);
  const RankPlan plan(shapes, 0, request.options, caches, arena.data());
  Cost cost;
  cost.seconds = seconds_since(begin);
  cost.bytes = heap_bytes() - before - plan.tile_bytes();
  std::printf("2048^3 c2c, pencils, %7d ranks: %7.1f kB, %6.1f ms a rank\n", ranks,
              static_cast<double>(cost.bytes) / kilobyte, cost.seconds * 1e3);
  return cost;
}

TEST(PlanningTest, OfOneRankAmongMany) {
  if (!heap_is_counted()) GTEST_SKIP() << "the heap cannot be measured here";
  EXPECT_LE(cost_of_one(1024).bytes, megabyte);
  EXPECT_LE(cost_of_one(16384).bytes, megabyte);
  EXPECT_LE(cost_of_one(1048576).bytes, 16 * megabyte);
}

TEST(PlanningTest, OfAThousandRanksInOneProcess) {
  if (!heap_is_counted()) GTEST_SKIP() << "the heap cannot be measured here";
  constexpr int ranks = 1024;
  const Caches caches{32 << 10, 16 << 10, 0};  // small tiles, since they are not what is counted
  const RouteRequest request = pencils_of(64);
  const AlignedBuffer arena(arena_of(shapes_of(request, ranks, caches), 0));
  const std::size_t before = heap_bytes();
  const auto begin = std::chrono::steady_clock::now();
  const auto shapes = shapes_of(request, ranks, caches);
  std::vector<std::unique_ptr<RankPlan>> plans;
  std::size_t tiles = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    plans.push_back(
        std::make_unique<RankPlan>(shapes, rank, request.options, caches, arena.data()));
    tiles += plans.back()->tile_bytes();
  }
  const double seconds = seconds_since(begin);
  const std::size_t bytes = (heap_bytes() - before - tiles) / ranks;
  std::printf("64^3 c2c, pencils, 1024 ranks in one process: %.1f kB a rank, %.1f s for all\n",
              static_cast<double>(bytes) / kilobyte, seconds);
  EXPECT_LE(bytes, 120 * kilobyte);
}

}  // namespace
}  // namespace weft
