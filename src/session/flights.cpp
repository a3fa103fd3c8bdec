// A handful at most: they are looked up one after the other.
#include "session/flights.hpp"

#include <algorithm>

namespace weft {

bool Flights::uses(int field) const {
  return std::ranges::find(flights_, field, &Flight::field) != flights_.end();
}

std::uint64_t Flights::add(int field, std::unique_ptr<Run> run) {
  flights_.push_back({++tickets_, field, std::move(run)});
  return tickets_;
}

Run* Flights::find(std::uint64_t ticket) const {
  const auto found = std::ranges::find(flights_, ticket, &Flight::ticket);
  return found == flights_.end() ? nullptr : found->run.get();
}

void Flights::forget(std::uint64_t ticket) {
  std::erase_if(flights_, [&](const Flight& flight) { return flight.ticket == ticket; });
}

void Flights::advance() const {
  for (const Flight& flight : flights_) flight.run->advance();
}

}  // namespace weft
