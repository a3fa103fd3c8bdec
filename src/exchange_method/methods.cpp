// The tables of transports and of exchange methods, one line per entry.
#include <fmt/format.h>

#include <algorithm>
#include <weft/options.hpp>

#include "exchange/exchange.hpp"
#include "exchange_method/packed.hpp"
#include "layout/names.hpp"
#include "layout/split.hpp"

namespace weft {

TransportMethod alltoall_transport();
TransportMethod alltoallv_transport();
TransportMethod gather_transport();
TransportMethod p2p_transport();
TransportMethod pairwise_transport();
TransportMethod persistent_transport();
TransportMethod put_transport();
TransportMethod scatter_transport();

const std::vector<TransportMethod>& transports() {
  static const std::vector<TransportMethod> table{
      alltoallv_transport(), alltoall_transport(), persistent_transport(), p2p_transport(),
      pairwise_transport(),  put_transport(),      gather_transport(),     scatter_transport()};
  return table;
}

ExchangeMethod alltoallw_method();
ExchangeMethod device_p2p_method();
ExchangeMethod loopback_method();
ExchangeMethod nowhere_method();
ExchangeMethod alone_method();
ExchangeMethod pairwise_in_place_method();
ExchangeMethod push_method();
ExchangeMethod shared_method();
ExchangeMethod two_level_method();

const std::vector<ExchangeMethod>& exchange_methods() {
  static const std::vector<ExchangeMethod> table = [] {
    std::vector<ExchangeMethod> methods{shared_method()};
    for (const TransportMethod& transport : transports())
      methods.push_back(packed_method(transport));
    methods.push_back(push_method());
    methods.push_back(device_p2p_method());
    methods.push_back(alltoallw_method());
    methods.push_back(two_level_method());
    methods.push_back(pairwise_in_place_method());
    methods.push_back(loopback_method());
    methods.push_back(nowhere_method());
    methods.push_back(alone_method());
    return methods;
  }();
  return table;
}

std::vector<std::string> exchange_names() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.traits.for_users && method.traits.for_every_plan &&
        method.traits.device_reach != DeviceReach::device_library)
      names.push_back(method.name);
  return names;
}

std::vector<std::string> all_exchange_names() {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.traits.for_users) names.push_back(method.name);
  return names;
}

bool reaches_memory_of(const ExchangeMethod& method, const std::string& device) {
  return method.traits.device_reach !=
         (is_host_device(device) ? DeviceReach::device_library : DeviceReach::host);
}

std::vector<std::string> exchange_list(const std::string& text) { return split(text, '/'); }

const ExchangeMethod& default_exchange(Reach reach) {
  return *std::ranges::find_if(exchange_methods(), [&](const ExchangeMethod& method) {
    return reach == Reach::within_nodes ? method.traits.default_within_nodes
                                        : method.traits.default_between_nodes;
  });
}

const ExchangeMethod& find_exchange(const std::string& name) {
  const auto& table = exchange_methods();
  const auto found = std::ranges::find(table, name, &ExchangeMethod::name);
  if (found == table.end())
    throw Error(fmt::format("exchange \"{}\": {}", name,
                            valid_instead_of(name, all_exchange_names(), "valid are auto,")));
  return *found;
}

const ExchangeMethod& exchange_without_communication() { return find_exchange("nowhere"); }
const ExchangeMethod& exchange_of_one_rank() { return find_exchange("alone"); }

}  // namespace weft
