// The exchanges that send packed blocks, one per transport.
#pragma once

#include "exchange/exchange.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// The scatter packs blocks, the transport moves them, and the next gather reads them as they
/// arrive, without unpacking.
ExchangeMethod packed_method(const TransportMethod& transport);

}  // namespace weft
