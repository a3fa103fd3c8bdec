// Files in memory, without a path. Other processes of the machine open them by a name that is plain
// data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

class MemoryFile {
 public:
  /// The name by which other processes open the file while its owner keeps it open. Processes on
  /// another machine, or with other process numbers, may find a wrong file; the key reveals that.
  struct Name {
    std::int64_t process = 0;
    std::int64_t number = 0;
    std::uint64_t key = 0;

    template <std::size_t Size>
    static Name from(const std::array<std::byte, Size>& bytes) {
      static_assert(sizeof(Name) <= Size);
      Name name;
      std::memcpy(&name, bytes.data(), sizeof name);
      return name;
    }
    template <std::size_t Size>
    void write_to(std::array<std::byte, Size>& bytes) const {
      static_assert(sizeof(Name) <= Size);
      std::memcpy(bytes.data(), this, sizeof *this);
    }
  };

  /// A new file. Throws std::bad_alloc if memory runs out.
  explicit MemoryFile(std::size_t bytes);
  /// Opens a file of another process, or of this one. Throws an Error if it cannot be found.
  explicit MemoryFile(const Name& name);
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();

  int descriptor() const { return descriptor_; }
  Name name() const;

 private:
  int descriptor_ = -1;
  std::uint64_t key_ = 0;
};

}  // namespace weft
