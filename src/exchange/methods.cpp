// The table of exchange methods: one line each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <weft/options.hpp>

#include "exchange/exchange.hpp"

namespace weft {

ExchangeMethod shared_method();
ExchangeMethod alltoallv_method();
ExchangeMethod loopback_method();
ExchangeMethod nowhere_method();

const std::vector<ExchangeMethod>& exchange_methods() {
  static const std::vector<ExchangeMethod> table{shared_method(), alltoallv_method(),
                                                 loopback_method(), nowhere_method()};
  return table;
}

std::vector<std::string> exchange_names() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.for_users) names.push_back(method.name);
  return names;
}

const ExchangeMethod& find_exchange(const std::string& name) {
  const auto& table = exchange_methods();
  const auto found = std::ranges::find(table, name, &ExchangeMethod::name);
  if (found == table.end())
    throw Error(fmt::format("exchange \"{}\": valid are auto, {}", name,
                            fmt::join(exchange_names(), ", ")));
  return *found;
}

}  // namespace weft
