// The modes of what wisdom leaves on the disk: those of the user's umask, nothing wider.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "tune/wisdom.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// The process's umask for the length of a test.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(umask(mask)) {}
  ~Umask() { umask(before_); }

 private:
  mode_t before_;
};

unsigned mode_of(const fs::path& path) {
  struct stat found {};
  EXPECT_EQ(stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 0777U;
}

TEST(WisdomModes, AreThoseOfTheUmask) {
  for (const unsigned mask : {0022U, 0077U, 0007U}) {
    const Umask set(mask);
    std::string name = testing::TempDir() + "weft-modes-XXXXXX";
    const fs::path top = mkdtemp(name.data());
    const Site site{"Some Processor", "Some MPI", 8, 4};
    const WisdomKey key{site, "4x4 c2c double", "auto", "no threads"};
    const WisdomFolder folder(top / "cache" / "weft");
    folder.store(key, {"exchange=p2p", 1, 1, 1, 1, "2024-02-29", "0.1.0"});
    folder.store_figures(site, {{"bandwidth", 1e10}});
    EXPECT_EQ(mode_of(top / "cache"), 0777U & ~mask);
    EXPECT_EQ(mode_of(folder.path()), 0777U & ~mask);
    EXPECT_EQ(mode_of(folder.path() / entry_name(key)), 0666U & ~mask);
    EXPECT_EQ(mode_of(folder.path() / entry_name(site)), 0666U & ~mask);
    fs::remove_all(top);
  }
}

}  // namespace
}  // namespace weft
