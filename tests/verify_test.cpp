// Certified results on purpose corrupted: a layer between Weft and MPI alters one message, and
// every rank must then name the exchange and the ranks of that message. It replaces MPI's functions
// for the whole executable, so these tests have one of their own.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include <weft/plan.hpp>

#include "error_checks.hpp"
#include "ranks.hpp"

namespace {

/// What becomes of the next message of this rank that is large enough to hold data.
struct Corruption {
  std::function<void(std::byte* data, std::size_t bytes)> alter;
  int receiver = -1;
};
Corruption corruption;
std::vector<std::vector<std::byte>> kept;  // altered copies, until the end of the test

constexpr std::size_t smallest_message = 256;

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

bool is_altered(std::size_t bytes, int receiver) {
  return corruption.alter && bytes >= smallest_message && receiver == corruption.receiver;
}

/// The buffer itself, or an altered copy.
const void* altered(const void* buffer, std::size_t bytes, int receiver) {
  if (!is_altered(bytes, receiver)) return buffer;
  const auto* const data = static_cast<const std::byte*>(buffer);
  std::vector<std::byte>& copy = kept.emplace_back(data, data + bytes);
  std::exchange(corruption.alter, nullptr)(copy.data(), bytes);
  return copy.data();
}

/// All blocks of a collective call, which lie in one buffer.
const void* altered_blocks(const void* buffer, const int counts[], const int displacements[],
                           MPI_Datatype type, MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  const std::size_t element = bytes_of(1, type);
  std::size_t end = 0;
  for (int rank = 0; rank < size; ++rank)
    end = std::max(end, static_cast<std::size_t>(displacements[rank] + counts[rank]) * element);
  for (int rank = 0; rank < size; ++rank) {
    const std::size_t bytes = static_cast<std::size_t>(counts[rank]) * element;
    if (!is_altered(bytes, rank)) continue;
    const auto* const data = static_cast<const std::byte*>(buffer);
    std::vector<std::byte>& copy = kept.emplace_back(data, data + end);
    std::exchange(corruption.alter, nullptr)(
        copy.data() + static_cast<std::size_t>(displacements[rank]) * element, bytes);
    return copy.data();
  }
  return buffer;
}

}  // namespace

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return PMPI_Send(altered(buffer, bytes_of(count, type), to), count, type, to, tag, comm);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Isend(altered(buffer, bytes_of(count, type), to), count, type, to, tag, comm,
                    request);
}

int MPI_Sendrecv(const void* sent, int count, MPI_Datatype type, int to, int tag, void* received,
                 int received_count, MPI_Datatype received_type, int from, int received_tag,
                 MPI_Comm comm, MPI_Status* status) {
  return PMPI_Sendrecv(altered(sent, bytes_of(count, type), to), count, type, to, tag, received,
                       received_count, received_type, from, received_tag, comm, status);
}

int MPI_Put(const void* buffer, int count, MPI_Datatype type, int to, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win window) {
  return PMPI_Put(altered(buffer, bytes_of(count, type), to), count, type, to, place, target_count,
                  target_type, window);
}

int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> counts(static_cast<std::size_t>(size), count), places;
  for (int rank = 0; rank < size; ++rank) places.push_back(rank * count);
  return PMPI_Alltoall(altered_blocks(sent, counts.data(), places.data(), type, comm), count, type,
                       received, received_count, received_type, comm);
}

int MPI_Alltoallv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                  void* received, const int received_counts[], const int received_places[],
                  MPI_Datatype received_type, MPI_Comm comm) {
  return PMPI_Alltoallv(altered_blocks(sent, counts, places, type, comm), counts, places, type,
                        received, received_counts, received_places, received_type, comm);
}

int MPI_Ialltoallv(const void* sent, const int counts[], const int places[], MPI_Datatype type,
                   void* received, const int received_counts[], const int received_places[],
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  return PMPI_Ialltoallv(altered_blocks(sent, counts, places, type, comm), counts, places, type,
                         received, received_counts, received_places, received_type, comm, request);
}
}

namespace weft {
namespace {

using Complex = std::complex<double>;

class VerifyTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int sender = 0, receiver = 1;

  Plan plan(const std::string& more = "") const {
    return Plan(MPI_COMM_WORLD, Transform({24, 20, 18}, Kind::c2c),
                Options::parse("verify=1, decomposition=slab, exchange=" + GetParam() + more));
  }

  /// Runs forward with one altered message; the message of the error, or "" if there was none.
  std::string forward(Plan& plan, std::function<void(std::byte*, std::size_t)> alter) {
    std::vector<Complex> in(plan.in_place_bytes() / sizeof(Complex)), out(in.size());
    // Alike in all modes: what is cut away must exceed the rounding of short wires.
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto x = static_cast<double>(i);
      in[i] = {std::sin(0.7 * x * x), std::cos(1.3 * x * x)};
    }
    const bool here = test::world_rank() == sender;
    if (here) corruption = {std::move(alter), receiver};
    const std::string message =
        test::message_of([&] { plan.forward(in.data(), out.data()); }).value_or("");
    EXPECT_FALSE(here && corruption.alter) << "no message was altered";
    corruption = {};
    EXPECT_FALSE(test::message_of([&] { plan.forward(in.data(), out.data()); }))
        << "the plan goes on";
    kept.clear();
    return message;
  }

  static void expect_blame(const std::string& message) {
    EXPECT_NE(message.find("the data of exchange 0"), std::string::npos) << message;
    EXPECT_NE(message.find("from rank 0 (host"), std::string::npos) << message;
    EXPECT_NE(message.find("to rank 1 (host"), std::string::npos) << message;
  }
};

TEST_P(VerifyTest, FindsEveryBitAboveRounding) {
  Plan plan = this->plan();
  // The largest number of a block: with a small weight, bits from 2^-36 on are within tolerance.
  for (int bit = 63; bit >= 52 - 35; --bit) {
    SCOPED_TRACE(bit);
    expect_blame(forward(plan, [&](std::byte* data, std::size_t bytes) {
      double* const numbers = reinterpret_cast<double*>(data);
      // The largest of the block: flipped bits of zeros and of small numbers are small.
      std::size_t largest = 0;
      for (std::size_t i = 0; i < bytes / sizeof(double); ++i)
        if (std::abs(numbers[i]) > std::abs(numbers[largest])) largest = i;
      std::uint64_t word = 0;
      std::memcpy(&word, numbers + largest, sizeof word);
      word ^= std::uint64_t{1} << bit;
      std::memcpy(numbers + largest, &word, sizeof word);
    }));
  }
}

TEST_P(VerifyTest, FindsTwoElementsThatChangedPlaces) {
  Plan plan = this->plan();
  expect_blame(forward(plan, [](std::byte* data, std::size_t) {
    std::swap_ranges(data, data + sizeof(Complex), data + 5 * sizeof(Complex));
  }));
}

TEST_P(VerifyTest, FindsHalvesThatChangedPlaces) {
  Plan plan = this->plan();
  expect_blame(forward(plan, [](std::byte* data, std::size_t bytes) {
    std::swap_ranges(data, data + bytes / 2, data + bytes / 2);
  }));
}

TEST_P(VerifyTest, FindsAMessageCutShort) {
  Plan plan = this->plan();
  expect_blame(forward(plan, [](std::byte* data, std::size_t bytes) {
    std::memset(data + bytes - 4 * sizeof(Complex), 0, 4 * sizeof(Complex));
  }));
}

TEST_P(VerifyTest, FindsItInShortWires) {
  if (GetParam() == "alltoallw") GTEST_SKIP() << "sends no short wires";
  for (const char* wire : {"float", "bfloat16", "fixed12"}) {
    SCOPED_TRACE(wire);
    Plan plan = this->plan(std::string(", wire=") + wire);
    expect_blame(forward(plan, [](std::byte* data, std::size_t bytes) {
      std::memset(data + bytes / 2, 0, bytes - bytes / 2);
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(Exchanges, VerifyTest,
                         testing::Values("alltoall", "alltoallv", "p2p", "pairwise", "put"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
