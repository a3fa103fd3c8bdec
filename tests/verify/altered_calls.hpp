// Calls whose data are altered on their way, and what their messages must say.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "verify/corruption.hpp"

namespace weft::test {

using Blocks = std::vector<Bytes>;

/// Runs `call` while the rank `at` alters blocks; the message of its error, or "". The plan must
/// then do the same without one.
inline std::string corrupted(int at, Corruption corruption, const std::function<void()>& call) {
  const bool here = world_rank() == at;
  if (here) corrupt_next(std::move(corruption));
  const std::string message = message_of(call).value_or("");
  EXPECT_TRUE(!here || was_corrupted()) << "nothing was altered";
  EXPECT_FALSE(message_of(call)) << "the plan goes on";
  return message;
}

inline void expect_blame(const std::string& message, int exchange, int sender, int receiver) {
  expect_words(message, {"the data of exchange " + std::to_string(exchange) + " (",
                         "from rank " + std::to_string(sender) + " (host",
                         "to rank " + std::to_string(receiver) + " (host"});
}

/// Whatever the elements are.
inline void exchange_halves(const Blocks& blocks) {
  const Bytes block = blocks.front();
  const auto half = static_cast<std::ptrdiff_t>(block.size() / 2);
  std::swap_ranges(block.begin(), block.begin() + half, block.begin() + half);
}

}  // namespace weft::test
