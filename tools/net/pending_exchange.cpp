// Each kind of call fills the same list of requests, so waiting and testing are the same for all.
#include "net/pending_exchange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <weft/error.hpp>

namespace weft::net {
namespace {

/// Identifies sender and receiver, as far as a byte can.
unsigned char mark(int sender, int receiver) {
  return static_cast<unsigned char>(1 + 3 * sender + 7 * receiver);
}

}  // namespace

const std::vector<std::string>& pending_exchange_names() {
  static const std::vector<std::string> names = {"ialltoall", "ialltoallv", "p2p"};
  return names;
}

PendingExchange::PendingExchange(MPI_Comm communicator, std::string name, Index bytes)
    : communicator_(communicator), name_(std::move(name)), bytes_(static_cast<int>(bytes)) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &ranks_);
  const Index all = bytes * ranks_;
  if (all > std::numeric_limits<int>::max())
    throw Error(fmt::format("sizes: {} messages of {} bytes are more than MPI counts in an int",
                            ranks_, bytes));
  sent_.resize(static_cast<std::size_t>(all));
  received_.resize(sent_.size());
  for (int receiver = 0; receiver < ranks_; ++receiver) {
    places_.push_back(receiver * bytes_);
    std::fill_n(sent_.begin() + places_.back(), bytes_, mark(rank_, receiver));
  }
  counts_.assign(places_.size(), bytes_);
  requests_.assign(name_ == "p2p" ? 2 * places_.size() : 1, MPI_REQUEST_NULL);
}

void PendingExchange::start() {
  if (name_ == "ialltoall")
    MPI_Ialltoall(sent_.data(), bytes_, MPI_BYTE, received_.data(), bytes_, MPI_BYTE, communicator_,
                  requests_.data());
  else if (name_ == "ialltoallv")
    MPI_Ialltoallv(sent_.data(), counts_.data(), places_.data(), MPI_BYTE, received_.data(),
                   counts_.data(), places_.data(), MPI_BYTE, communicator_, requests_.data());
  else
    start_p2p();
}

/// Each rank begins with its next neighbour, so that not all send to the same rank at once.
void PendingExchange::start_p2p() {
  constexpr int tag = 0;
  MPI_Request* request = requests_.data();
  for (int distance = 0; distance < ranks_; ++distance) {
    const int sender = (rank_ + ranks_ - distance) % ranks_;
    MPI_Irecv(received_.data() + places_[static_cast<std::size_t>(sender)], bytes_, MPI_BYTE,
              sender, tag, communicator_, request++);
  }
  for (int distance = 0; distance < ranks_; ++distance) {
    const int receiver = (rank_ + distance) % ranks_;
    MPI_Isend(sent_.data() + places_[static_cast<std::size_t>(receiver)], bytes_, MPI_BYTE,
              receiver, tag, communicator_, request++);
  }
}

bool PendingExchange::test() {
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

void PendingExchange::wait() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

bool PendingExchange::is_right() const {
  for (int sender = 0; sender < ranks_; ++sender) {
    const auto message = received_.begin() + places_[static_cast<std::size_t>(sender)];
    if (std::any_of(message, message + bytes_,
                    [&](unsigned char byte) { return byte != mark(sender, rank_); }))
      return false;
  }
  return true;
}

}  // namespace weft::net
