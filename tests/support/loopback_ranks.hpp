// All ranks of one direction in this process, without MPI: they run in step.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "exchange_method/loopback.hpp"
#include "machine/aligned_buffer.hpp"
#include "plan/program.hpp"

namespace weft::test {

class LoopbackRanks {
 public:
  /// The context is that of every rank, without memory.
  LoopbackRanks(const Route& route, int ranks, const ProgramContext& context)
      : worlds_(route.exchanges.size()) {
    const auto shape = std::make_shared<const ProgramShape>(shape_program(route, 1));
    for (int rank = 0; rank < ranks; ++rank) {
      ProgramPlan plan = plan_program(shape, rank);
      arenas_.emplace_back(plan.memory.arena_bytes);
      ProgramContext own = context;
      own.fields.push_back({arenas_.back().data(), {}, nullptr});
      for (LoopbackWorld& world : worlds_) own.loopback.push_back({&world});
      programs_.push_back(std::make_unique<Program>(std::move(plan), own));
    }
  }

  Program& operator[](int rank) { return *programs_[static_cast<std::size_t>(rank)]; }

  /// Performs all actions; returns how often one had to be asked again.
  int run() {
    int refused = 0;
    for (const Action& action : programs_.front()->schedule())
      for (const auto& program : programs_)
        while (!program->perform(action, [] {})) ++refused;
    return refused;
  }

 private:
  std::vector<LoopbackWorld> worlds_;
  std::vector<AlignedBuffer> arenas_;
  std::vector<std::unique_ptr<Program>> programs_;
};

}  // namespace weft::test
