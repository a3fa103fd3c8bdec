// Tells which exchange methods only ranks of one node can use.
#pragma once

#include <algorithm>
#include <string>

#include "exchange/exchange.hpp"

namespace weft::test {

/// False for names of no method, such as "auto".
inline bool needs_one_node(const std::string& exchange) {
  return std::ranges::any_of(exchange_methods(), [&](const ExchangeMethod& method) {
    return method.name == exchange && method.traits.needs_one_node;
  });
}

}  // namespace weft::test
