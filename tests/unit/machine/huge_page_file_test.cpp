// Files of huge pages, as the system gives them to root and to an ordinary user, and as another
// process sees them.
#include "machine/huge_page_file.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>

#include "machine/aligned_buffer.hpp"

namespace weft::test {
namespace {

constexpr std::size_t bytes = 2 * huge_page_bytes;

enum class End { good, bad, refused };

/// Runs `work` in a child process.
End in_child(const std::function<End()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(static_cast<int>(work()));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? static_cast<End>(WEXITSTATUS(status)) : End::bad;
}

/// This process writes, a child opens the file on its own, reads and answers.
End share_with_child(const HugePageFile& file) {
  if (!file.is_open()) return End::refused;
  const HugePageMapping own(file, bytes);
  if (own.begin() == nullptr) return End::refused;
  if (reinterpret_cast<std::uintptr_t>(own.begin()) % huge_page_bytes != 0) return End::bad;
  std::memset(own.begin(), 7, bytes);
  const End end = in_child([place = file.place()] {
    const HugePageMapping theirs(HugePageFile(place), bytes);
    if (theirs.begin() == nullptr) return End::bad;
    const bool is_equal = theirs.begin()[bytes - 1] == std::byte{7};
    theirs.begin()[1] = std::byte{9};
    return is_equal ? End::good : End::bad;
  });
  return end == End::good && own.begin()[1] != std::byte{9} ? End::bad : end;
}

void expect_good(End end) {
  if (end == End::refused) GTEST_SKIP() << "this system gives no such file";
  EXPECT_EQ(end, End::good);
}

TEST(HugePageFileTest, OfItsOwnFileSystemIsSeenByOthers) {
  expect_good(share_with_child(HugePageFile::in_own_file_system(bytes)));
}

TEST(HugePageFileTest, OfTheReserveIsSeenByOthers) {
  expect_good(share_with_child(HugePageFile::in_reserve(bytes)));
}

TEST(HugePageFileTest, IsGivenToAnOrdinaryUser) {
  if (getuid() != 0) GTEST_SKIP() << "the other tests run as an ordinary user";
  constexpr unsigned nobody = 65534;
  expect_good(in_child([] {
    if (setgid(nobody) != 0 || setuid(nobody) != 0) return End::refused;
    prctl(PR_SET_DUMPABLE, 1);  // as processes are that have not changed their user
    const HugePageFile file = HugePageFile::in_own_file_system(bytes);
    if (!file.is_open()) return End::refused;
    const HugePageMapping mapping(file, bytes);
    if (mapping.begin() == nullptr) return End::bad;
    std::memset(mapping.begin(), 1, bytes);
    return End::good;
  }));
}

TEST(HugePageFileTest, AnotherFileOfThatNumberIsNotTakenForIt) {
  const HugePageFile file = HugePageFile::in_own_file_system(bytes);
  if (!file.is_open()) GTEST_SKIP() << "this system gives no such file";
  HugePageFile::Place place = file.place();
  EXPECT_TRUE(HugePageFile(place).is_open());
  ++place.inode;
  EXPECT_FALSE(HugePageFile(place).is_open());
  place = file.place();
  const HugePageFile other = HugePageFile::in_own_file_system(bytes);
  place.number = other.number();
  EXPECT_FALSE(HugePageFile(place).is_open());
  place.process = -1;
  EXPECT_FALSE(HugePageFile(place).is_open());
}

TEST(HugePageFileTest, WhereThereIsNoMemoryTheMappingIsEmpty) {
  const std::size_t too_much = available_memory() / huge_page_bytes * huge_page_bytes * 4;
  const HugePageFile file = HugePageFile::in_reserve(too_much);
  EXPECT_EQ(HugePageMapping(file, too_much).begin(), nullptr);
}

}  // namespace
}  // namespace weft::test
