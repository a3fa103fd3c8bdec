// Each part is a file in memory (memfd_create) that the other ranks open below /proc. Whatever the
// system refuses, all ranks notice together and go without.
#include "mpi/huge_page_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <utility>

#include "machine/aligned_buffer.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace weft {

#if defined(MFD_HUGETLB) && defined(MADV_POPULATE_WRITE)

namespace {

/// What the reserve has left that no mapping has been promised.
std::uint64_t reserve_bytes() {
  std::uint64_t pages = 0, promised = 0;
  const std::string pool =
      fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/", huge_page_bytes >> 10);
  std::ifstream(pool + "free_hugepages") >> pages;
  std::ifstream(pool + "resv_hugepages") >> promised;
  return pages > promised ? (pages - promised) * huge_page_bytes : 0;
}

/// Where another process finds a file of this one. The inode tells files apart where processes see
/// different numbers of the same process.
struct Place {
  std::int64_t process = 0;
  std::int64_t file = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;  // none if there is no file
};

bool holds_everywhere(const Communicator& node, bool here) {
  int everywhere = here ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, node.get()),
            "MPI_Allreduce");
  return everywhere != 0;
}

}  // namespace

class HugePageMemory::File {
 public:
  /// A new one.
  explicit File(std::size_t bytes) : number_(memfd_create("weft", MFD_CLOEXEC | MFD_HUGETLB)) {
    if (number_ >= 0 && ftruncate(number_, static_cast<off_t>(bytes)) != 0) close_it();
  }
  /// That of another process.
  explicit File(const Place& place)
      : number_(open(fmt::format("/proc/{}/fd/{}", place.process, place.file).c_str(),
                     O_RDWR | O_CLOEXEC)) {
    if (number_ >= 0 && inode() != place.inode) close_it();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close_it(); }

  int number() const { return number_; }
  std::uint64_t inode() const {
    struct stat about {};
    return fstat(number_, &about) == 0 ? about.st_ino : 0;
  }

 private:
  void close_it() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }
  int number_;
};

HugePageMemory::Part::Part(const File& file, std::size_t bytes) : bytes_(bytes) {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED) return;
  begin_ = static_cast<std::byte*>(mapped);
  if (madvise(begin_, bytes_, MADV_POPULATE_WRITE) != 0) *this = Part();
}

HugePageMemory::Part::~Part() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

std::unique_ptr<HugePageMemory> HugePageMemory::allocate(const Communicator& node,
                                                         std::size_t bytes) {
  // The largest part, and the smallest reserve that a rank sees, by one reduction.
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, 2> extremes{bytes, most - reserve_bytes()};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, node.get()),
            "MPI_Allreduce");
  const std::uint64_t pages = (most - extremes[1]) / huge_page_bytes;
  if (extremes[0] < huge_page_bytes ||
      extremes[0] > pages / static_cast<std::uint64_t>(node.size()) * huge_page_bytes)
    return nullptr;

  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), huge_page_bytes);
  const File file(rounded);
  Part own(file, rounded);
  const Place place{getpid(), file.number(), file.inode(), own.begin() != nullptr ? rounded : 0};
  std::vector<Place> places(static_cast<std::size_t>(node.size()));
  check_mpi(MPI_Allgather(&place, sizeof place, MPI_BYTE, places.data(), sizeof place, MPI_BYTE,
                          node.get()),
            "MPI_Allgather");
  if (std::ranges::any_of(places, [](const Place& one) { return one.bytes == 0; })) return nullptr;

  auto memory = std::make_unique<HugePageMemory>();
  for (int rank = 0; rank < node.size(); ++rank)
    memory->parts_.push_back(rank == node.rank() ? std::move(own)
                                                 : Part(File(places[rank]), places[rank].bytes));
  const bool has_all =
      std::ranges::all_of(memory->parts_, [](const Part& part) { return part.begin() != nullptr; });
  // The agreement also keeps this rank's file open until all have opened it.
  return holds_everywhere(node, has_all) ? std::move(memory) : nullptr;
}

#else

HugePageMemory::Part::~Part() = default;

std::unique_ptr<HugePageMemory> HugePageMemory::allocate(const Communicator&, std::size_t) {
  return nullptr;
}

#endif

HugePageMemory::Part::Part(Part&& other) noexcept { *this = std::move(other); }

HugePageMemory::Part& HugePageMemory::Part::operator=(Part&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace weft
