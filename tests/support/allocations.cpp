// Replaces the C library's allocation functions in the whole program by ones that count and then
// call glibc's originals under their other names. Without glibc nothing is counted.
#include "support/allocations.hpp"

#include <atomic>

#include "support/sanitizers.hpp"

#if defined(__GLIBC__) && !WEFT_TESTS_ADDRESSES && !WEFT_TESTS_THREADS
#define WEFT_COUNTS_ALLOCATIONS 1
#endif

namespace weft::test {
namespace {

std::atomic<bool> counting{false};
std::atomic<long long> live{0};
std::atomic<long long> most_live{0};
std::atomic<long long> largest{0};

}  // namespace

CountedAllocations::CountedAllocations() {
  live = most_live = largest = 0;
  counting = true;
}

CountedAllocations::~CountedAllocations() { counting = false; }

Allocations CountedAllocations::so_far() const {
  return {static_cast<std::size_t>(largest), static_cast<std::size_t>(most_live)};
}

#ifdef WEFT_COUNTS_ALLOCATIONS

bool CountedAllocations::possible() { return true; }

namespace {

void raise(std::atomic<long long>& highest, long long value) {
  long long before = highest.load(std::memory_order_relaxed);
  while (before < value && !highest.compare_exchange_weak(before, value)) {
  }
}

/// Freeing memory allocated before counts negatively: `live` is the growth since the start.
void add(long long bytes) {
  if (!counting.load(std::memory_order_relaxed)) return;
  const long long now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  raise(most_live, now);
  raise(largest, bytes);
}

}  // namespace

#else

bool CountedAllocations::possible() { return false; }

#endif

}  // namespace weft::test

#ifdef WEFT_COUNTS_ALLOCATIONS

#include <errno.h>
#include <malloc.h>

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

static void* counted(void* memory) {
  if (memory != nullptr) weft::test::add(static_cast<long long>(malloc_usable_size(memory)));
  return memory;
}

static void forget(void* memory) {
  if (memory != nullptr) weft::test::add(-static_cast<long long>(malloc_usable_size(memory)));
}

void* malloc(std::size_t bytes) { return counted(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void* realloc(void* memory, std::size_t bytes) {
  forget(memory);
  return counted(__libc_realloc(memory, bytes));
}
void* memalign(std::size_t unit, std::size_t bytes) {
  return counted(__libc_memalign(unit, bytes));
}
void* aligned_alloc(std::size_t unit, std::size_t bytes) { return memalign(unit, bytes); }
int posix_memalign(void** memory, std::size_t unit, std::size_t bytes) {
  void* const made = memalign(unit, bytes);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}
void free(void* memory) {
  forget(memory);
  __libc_free(memory);
}
}

#endif
