// Files in memory whose pages are huge, which other processes of the same user can open: for memory
// that processes share. The system refuses them here and there; then there is no file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Bytes of huge pages that the system keeps in reserve (vm.nr_hugepages) and nobody has been
/// promised.
std::uint64_t huge_pages_in_reserve();

/// Bytes that all processes together may still take before the system runs out of memory.
std::uint64_t available_memory();

/// An open file; not open where the system has refused it.
class HugePageFile {
 public:
  /// Where another process finds it. Device and inode tell whether it is that file, since processes
  /// in containers may see different numbers of the same process. The inode alone does not: it is
  /// the same in every new file system.
  struct Place {
    std::int64_t process = 0;
    std::int64_t number = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    /// Whether this is the same file, opened by whichever process.
    bool is_file_of(const Place& other) const {
      return device == other.device && inode == other.inode;
    }
  };

  /// A new file of the reserve.
  static HugePageFile in_reserve(std::size_t bytes);
  /// A new file in a file system of its own, which gives huge pages as far as memory has them. An
  /// administrator may do the same for /dev/shm, by mounting it with huge=advise.
  static HugePageFile in_own_file_system(std::size_t bytes);
  /// The file of another process.
  explicit HugePageFile(const Place& place);

  HugePageFile(HugePageFile&& other) noexcept;
  HugePageFile& operator=(HugePageFile&&) = delete;
  ~HugePageFile();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  Place place() const;

 private:
  explicit HugePageFile(int number) : number_(number) {}
  void resize(std::size_t bytes);
  void close();

  int number_ = -1;
};

/// A file in the address space of this process, from an address that begins a huge page.
class HugePageMapping {
 public:
  HugePageMapping() = default;
  /// Empty where the file cannot be mapped or there is no memory for it: all pages are taken now,
  /// because a store to a page that cannot be had would end the process.
  HugePageMapping(const HugePageFile& file, std::size_t bytes);
  HugePageMapping(HugePageMapping&& other) noexcept;
  HugePageMapping& operator=(HugePageMapping&& other) noexcept;
  ~HugePageMapping();

  std::byte* begin() const { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  void* range_ = nullptr;  // with room to begin at a huge page
  std::size_t range_bytes_ = 0;
};

}  // namespace weft
