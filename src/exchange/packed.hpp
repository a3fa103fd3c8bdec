// The exchanges that send packed blocks, one for each transport.
#pragma once

#include "exchange/exchange.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// The scatter packs blocks, the transport moves them, and they arrive as the next gather reads
/// them.
ExchangeMethod packed_method(const TransportMethod& transport);

}  // namespace weft
