// Files without a place in a folder, in memory, which processes of the machine find by plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

class MemoryFile {
 public:
  /// Where other processes find it, while its owner keeps it.
  struct Name {
    std::int64_t process = 0;
    std::int64_t number = 0;
  };

  /// A new one. Throws std::bad_alloc where there is none left.
  explicit MemoryFile(std::size_t bytes);
  /// That of another process, or of this one. Throws an Error if it is no longer there.
  explicit MemoryFile(const Name& name);
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();

  int descriptor() const { return descriptor_; }
  Name name() const;

 private:
  int descriptor_;
};

}  // namespace weft
