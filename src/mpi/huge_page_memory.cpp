// Each rank makes a file and tells the others where it is. That takes two reductions, of the memory
// that is free and of success, and a gather of the files' places.
#include "mpi/huge_page_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "machine/aligned_buffer.hpp"
#include "mpi/shared_segment.hpp"

namespace weft {
namespace {

/// Where the parts of all ranks of a node can lie. The size of /dev/shm is the administrator's
/// limit for shared memory, so it holds for files that lie elsewhere, too.
enum class Source { none, reserve, own_file_system };

/// The same on all ranks, by one reduction of the largest part and of each rank's free memory.
Source find_source(const Communicator& node, std::size_t bytes) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t room = std::min(available_memory(), room_for_shared_memory());
  std::array<std::uint64_t, 3> extremes{bytes, most - huge_pages_in_reserve(), most - room};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 3, MPI_UINT64_T, MPI_MAX, node.get()),
            "MPI_Allreduce");
  const std::uint64_t largest = extremes[0], ranks = static_cast<std::uint64_t>(node.size());
  const auto fits_into = [&](std::uint64_t all) {
    return largest <= all / ranks / huge_page_bytes * huge_page_bytes;
  };
  if (largest < huge_page_bytes) return Source::none;
  if (fits_into(most - extremes[1])) return Source::reserve;
  return fits_into(most - extremes[2]) ? Source::own_file_system : Source::none;
}

bool holds_everywhere(const Communicator& node, bool here) {
  int everywhere = here ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, node.get()),
            "MPI_Allreduce");
  return everywhere != 0;
}

struct Offer {
  HugePageFile::Place place;
  std::uint64_t bytes = 0;  // 0: the rank has got no memory
};

}  // namespace

std::unique_ptr<HugePageMemory> HugePageMemory::allocate(const Communicator& node,
                                                         std::size_t bytes) {
  const Source source = find_source(node, bytes);
  if (source == Source::none) return nullptr;
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), huge_page_bytes);
  const HugePageFile file = source == Source::reserve ? HugePageFile::in_reserve(rounded)
                                                      : HugePageFile::in_own_file_system(rounded);
  HugePageMapping own(file, rounded);
  const auto offers = gathered(node, Offer{file.place(), own.begin() != nullptr ? rounded : 0});
  if (std::ranges::any_of(offers, [](const Offer& offer) { return offer.bytes == 0; }))
    return nullptr;

  auto memory = std::make_unique<HugePageMemory>();
  for (int rank = 0; rank < node.size(); ++rank)
    memory->parts_.push_back(rank == node.rank() ? std::move(own)
                                                 : HugePageMapping(HugePageFile(offers[rank].place),
                                                                   offers[rank].bytes));
  const bool has_all = std::ranges::all_of(
      memory->parts_, [](const HugePageMapping& part) { return part.begin() != nullptr; });
  // The agreement also keeps this rank's file open until all have opened it.
  return holds_everywhere(node, has_all) ? std::move(memory) : nullptr;
}

}  // namespace weft
