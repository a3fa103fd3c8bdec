// A plan has only a few transforms in flight, so they are searched one after the other.
#include "run/flights.hpp"

#include <algorithm>

namespace weft {

bool Flights::uses(int field) const {
  return std::ranges::find(flights_, field, &Flight::field) != flights_.end();
}

bool Flights::disturbs(const FlightArrays& arrays) const {
  return std::ranges::any_of(flights_, [&](const Flight& flight) {
    const FlightArrays& other = flight.arrays;
    return overlap(arrays.out, arrays.out_memory, other.out, other.out_memory) ||
           overlap(arrays.out, arrays.out_memory, other.in, other.in_memory) ||
           overlap(arrays.in, arrays.in_memory, other.out, other.out_memory);
  });
}

void Flights::add(std::uint64_t call, int field, const FlightArrays& arrays,
                  std::unique_ptr<Run> run) {
  flights_.push_back({call, field, arrays, std::move(run)});
}

Run* Flights::find(std::uint64_t ticket) const {
  const auto found = std::ranges::find(flights_, ticket, &Flight::ticket);
  return found == flights_.end() ? nullptr : found->run.get();
}

std::size_t Flights::field_of(std::uint64_t ticket) const {
  return static_cast<std::size_t>(std::ranges::find(flights_, ticket, &Flight::ticket)->field);
}

void Flights::forget(std::uint64_t ticket) {
  std::erase_if(flights_, [&](const Flight& flight) { return flight.ticket == ticket; });
}

void Flights::advance() const {
  for (const Flight& flight : flights_) flight.run->advance();
}

}  // namespace weft
