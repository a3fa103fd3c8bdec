// Files in memory with huge pages, which other processes of the same user can open to share memory.
// Some systems refuse huge pages; the file is then not open.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Bytes in the system's reserve of huge pages (vm.nr_hugepages) that are neither used nor promised
/// to a process.
std::uint64_t huge_pages_in_reserve();

/// Bytes that all processes together can still allocate before the system runs out of memory.
std::uint64_t available_memory();

/// A file in huge pages; not open if the system has refused it.
class HugePageFile {
 public:
  /// The process and the file number by which another process opens the file. Device and inode
  /// prove that it has found this file: in containers, one process may have different numbers. The
  /// inode alone proves nothing, because new file systems all start with the same inodes.
  struct Place {
    std::int64_t process = 0;
    std::int64_t number = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    /// Whether both are the same file; different processes may have opened it.
    bool is_file_of(const Place& other) const {
      return device == other.device && inode == other.inode;
    }
  };

  /// A new file in the system's reserve of huge pages.
  static HugePageFile in_reserve(std::size_t bytes);
  /// A new file in its own file system, which gives huge pages as long as memory has them.
  /// Administrators get the same for /dev/shm if they mount it with huge=advise.
  static HugePageFile in_own_file_system(std::size_t bytes);
  /// Opens a file of another process.
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

/// A file mapped into this process, starting at the boundary of a huge page.
class HugePageMapping {
 public:
  HugePageMapping() = default;
  /// Empty if the file cannot be mapped or memory is short. All pages are allocated now, because a
  /// later store to a missing page would end the process.
  HugePageMapping(const HugePageFile& file, std::size_t bytes);
  HugePageMapping(HugePageMapping&& other) noexcept;
  HugePageMapping& operator=(HugePageMapping&& other) noexcept;
  ~HugePageMapping();

  std::byte* begin() const { return begin_; }

 private:
  std::byte* begin_ = nullptr;
  void* range_ = nullptr;  // the mapping, larger than the file so that begin_ can be aligned
  std::size_t range_bytes_ = 0;
};

}  // namespace weft
