// Wisdom without MPI: what is stored is found again, whatever happens to its folder in between:
// damage of every kind, many writers at once, writers that are killed.
#include "tune/wisdom.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <set>
#include <thread>
#include <weft/error.hpp>

namespace weft {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const Site site{"2 x Some Processor, 8 cores, caches 32K 1M 32M", "Open MPI 4.1.4", 8, 4};

WisdomKey key_of(int number) {
  return {site, fmt::format("{}x4 c2c double", number), "auto", "MPI_THREAD_SINGLE, nodes 0x2"};
}

Wisdom wisdom_of(int number) {
  return {"exchange=p2p, grid=4x2", 0.001 * number, 0.1 + 0.2, 30, 17, "2024-02-29", "0.1.0"};
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// `text` with `part` replaced, which it must hold once at least.
std::string changed(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

/// A folder of the test's own, and one of wisdom below it that is not there yet.
class WisdomTest : public testing::Test {
 protected:
  ~WisdomTest() override { fs::remove_all(top_); }

  WisdomFolder open(const fs::path& path) {
    return WisdomFolder(path, [this](const std::string& line) { complaints_.push_back(line); });
  }

  /// Two entries and one site's figures.
  void store_some() {
    folder_.store(key_of(1), wisdom_of(1));
    folder_.store(key_of(2), wisdom_of(2));
    folder_.store_figures(site, {{"bandwidth", 1.5e10}, {"alpha p2p", 1e-6}});
  }

  fs::path path_of(const WisdomKey& key) const { return path_ / entry_name(key); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  /// The one complaint since the last call: a line that begins with `beginning`.
  std::string complaint(const std::string& beginning) {
    EXPECT_EQ(complaints_.size(), 1U) << fmt::format("{}", fmt::join(complaints_, "\n"));
    const std::string line = complaints_.empty() ? "" : complaints_.front();
    complaints_.clear();
    EXPECT_TRUE(line.starts_with(beginning)) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return line;
  }

  const fs::path top_ = [] {
    std::string name = testing::TempDir() + "weft-wisdom-XXXXXX";
    return fs::path(mkdtemp(name.data()));
  }();
  const fs::path path_ = top_ / "cache" / "weft";
  std::vector<std::string> complaints_;
  WisdomFolder folder_ = open(path_);
};

// --- round trips ---

TEST_F(WisdomTest, IsFoundAgain) {
  EXPECT_EQ(folder_.find(key_of(1)), std::nullopt);
  EXPECT_TRUE(folder_.read().wisdom.empty());
  store_some();
  EXPECT_EQ(folder_.find(key_of(1)), wisdom_of(1));
  EXPECT_EQ(folder_.find(key_of(2)), wisdom_of(2));
  EXPECT_EQ(folder_.find(key_of(3)), std::nullopt);
  EXPECT_EQ(folder_.read().wisdom.size(), 2U);
  EXPECT_EQ(folder_.read().figures.size(), 1U);
  EXPECT_TRUE(complaints_.empty()) << complaints_.front();
}

TEST_F(WisdomTest, EveryPartOfTheKeyCounts) {
  folder_.store(key_of(1), wisdom_of(1));
  std::vector<WisdomKey> others(7, key_of(1));
  for (std::string* text : {&others[0].site.machine, &others[1].site.mpi, &others[2].transform,
                            &others[3].options, &others[4].conditions})
    *text += "x";
  others[5].site.ranks = 9;
  others[6].site.ranks_per_node = 5;
  for (const WisdomKey& other : others) EXPECT_EQ(folder_.find(other), std::nullopt);
  EXPECT_TRUE(complaints_.empty()) << complaints_.front();
}

TEST_F(WisdomTest, IsReplacedAndRemoved) {
  store_some();
  folder_.store(key_of(1), wisdom_of(7));
  EXPECT_EQ(folder_.find(key_of(1)), wisdom_of(7));
  Wisdom undated = wisdom_of(1);
  undated.date.clear();
  folder_.store(key_of(1), undated);
  EXPECT_EQ(folder_.find(key_of(1))->date.size(), std::string("2024-02-29").size());
  EXPECT_TRUE(folder_.remove(key_of(1)));
  EXPECT_FALSE(folder_.remove(key_of(1)));
  EXPECT_EQ(folder_.find(key_of(1)), std::nullopt);
  EXPECT_EQ(folder_.find(key_of(2)), wisdom_of(2));
  const std::vector<std::string> others{"notes.json", "wisdom-new.json", "wisdom.json"};
  for (const std::string& name : others) write_text(path_ / name, "somebody else's");
  write_text(path_of(key_of(2)), "damaged");
  folder_.clear();
  EXPECT_EQ(names(), others);
}

TEST_F(WisdomTest, FiguresOfASiteAreReplaced) {
  EXPECT_EQ(folder_.find_figures(site), std::nullopt);
  folder_.store_figures(site, {{"a", 1}, {"b", 2.5e-7}});
  folder_.store_figures(site, {{"b", 3}, {"c", 1e300}});
  EXPECT_EQ(folder_.find_figures(site), (Figures{{"b", 3}, {"c", 1e300}}));
}

TEST_F(WisdomTest, LeavesNothingButAFileForEachKey) {
  store_some();
  store_some();
  std::vector<std::string> wanted{entry_name(site), entry_name(key_of(1)), entry_name(key_of(2))};
  std::ranges::sort(wanted);
  EXPECT_EQ(names(), wanted);
}

TEST_F(WisdomTest, OldLeftoversOfWritersAreRemovedAndYoungOnesStay) {
  store_some();
  const std::string old = ".weft-0123456789abcdef.new", young = ".weft-fedcba9876543210.new";
  const std::string foreign = "thesis.new";
  for (const std::string& name : {old, young, foreign}) write_text(path_ / name, "{ \"key\": ");
  for (const std::string& name : {old, foreign})
    fs::last_write_time(path_ / name, fs::file_time_type::clock::now() - 2h);
  EXPECT_EQ(folder_.read().wisdom.size(), 2U);
  EXPECT_TRUE(complaints_.empty()) << complaints_.front();
  folder_.store(key_of(1), wisdom_of(1));
  EXPECT_FALSE(fs::exists(path_ / old));
  EXPECT_TRUE(fs::exists(path_ / young));
  EXPECT_TRUE(fs::exists(path_ / foreign));
}

TEST_F(WisdomTest, WhatCouldNotBeFoundAgainIsNotStored) {
  store_some();
  const auto before = names();
  Wisdom unknown = wisdom_of(3);
  unknown.options = "exchange=pigeon";
  folder_.store(key_of(3), unknown);
  EXPECT_NE(complaint(path_.string() + ": ").find("pigeon"), std::string::npos);
  Wisdom endless = wisdom_of(3);
  endless.measured_seconds = std::numeric_limits<double>::infinity();
  folder_.store(key_of(3), endless);
  complaint(path_.string() + ": wisdom is not stored");
  std::vector<WisdomKey> keys(3, key_of(3));
  keys[0].transform = "two\nlines";
  keys[1].transform = "Latin 1: \xe9";
  keys[2].transform = std::string(64 << 10, 'x');
  for (const WisdomKey& key : keys) {
    folder_.store(key, wisdom_of(3));
    complaint(path_.string() + ": wisdom is not stored");
  }
  folder_.store_figures(site, {{"a", std::nan("")}});
  complaint(path_.string() + ": wisdom is not stored");
  EXPECT_EQ(names(), before);
  EXPECT_EQ(folder_.find_figures(site)->size(), 2U);
}

// --- damage ---

TEST_F(WisdomTest, ADamagedFileIsReportedIgnoredAndReplaced) {
  store_some();
  const fs::path path = path_of(key_of(1));
  const std::string good = read_text(path);
  const std::string number = "is not a whole number", other = "type must be";
  const std::vector<std::pair<std::string, std::string>> damages{
      {"", "is not complete JSON"},
      {good.substr(0, good.size() / 2), "is not complete JSON"},
      {std::string("\x7f\x45\x4c\x46\0\xff\xfe", 7), "is not complete JSON"},
      {std::string(1 << 15, '['), "is not complete JSON"},
      {std::string(1 << 15, '[') + std::string(1 << 15, ']'), "is not weft wisdom"},
      {std::string(64 << 10, ' ') + good, "larger than 64 KiB"},
      {good + "}", "is not complete JSON"},
      {"[1, 2, 3]", "is not weft wisdom"},
      {"{\"name\": \"weft\"}", "is not weft wisdom"},
      {"null", "is not weft wisdom"},
      {"{\"weft wisdom\": 3}", "'key' not found"},
      {"{\"weft wisdom\": 3, \"key\": [], \"value\": 1}", "type_error"},
      {changed(good, "weft wisdom", "left wisdom"), "is not weft wisdom"},
      {changed(good, "wisdom\": 3", "wisdom\": 2"), "is not of version 3"},
      {changed(good, "wisdom\": 3", "wisdom\": \"3\""), "is not of version 3"},
      {changed(good, "0.001", "1e999"), "a number that is too large"},
      {changed(good, "\"ranks\": 8", "\"ranks\": \"8\""), number},
      {changed(good, "\"ranks\": 8", "\"ranks\": 8.5"), number},
      {changed(good, "\"ranks\": 8", "\"ranks\": 1e300"), number},
      {changed(good, "\"ranks\": 8", "\"ranks\": 8000000000"), number},
      {changed(good, "\"ranks\": 8", "\"ranks\": true"), number},
      {changed(good, "\"ranks\": 8", "\"ranks\": -8"), "less than 0"},
      {changed(good, "\"ranks\": 8", "\"Ranks\": 8"), "'ranks' not found"},
      {changed(good, "0.001", "null"), other},
      {changed(good, "0.001", "true"), other},
      {changed(good, "0.001", "-0.001"), "less than 0"},
      {changed(good, "1x4", "\\u001b[2J1x4"), "/key/transform holds control characters"},
      {changed(good, "\"date\"", "\"\\u0007\": 1, \"date\""), "control characters"},
      {changed(good, "\"date\"", "\"colour\": 1, \"date\""), "unexpected members"},
      {changed(good, "\"exchange=p2p, grid=4x2\"", "[[[[[[[1]]]]]]]"), other},
      {changed(good, "exchange=p2p", "exchange=pigeon"), "pigeon"},
      {changed(good, "1x4", "2x4"), "is named for another key"},
  };
  for (const auto& [text, message] : damages) {
    write_text(path, text);
    EXPECT_EQ(folder_.find(key_of(1)), std::nullopt) << message;
    const std::string line = complaint(path.string() + ": ");
    EXPECT_NE(line.find(message), std::string::npos) << line << " for " << message;
    EXPECT_TRUE(line.ends_with("; it is ignored")) << line;
    EXPECT_EQ(folder_.find(key_of(2)), wisdom_of(2));
    folder_.store(key_of(1), wisdom_of(5));
    EXPECT_EQ(folder_.find(key_of(1)), wisdom_of(5));
    EXPECT_TRUE(complaints_.empty()) << complaints_.front();
  }
}

TEST_F(WisdomTest, ADamagedFileLeavesTheOthersInTheList) {
  store_some();
  write_text(path_of(key_of(1)), "{");
  fs::copy(path_of(key_of(2)), path_of(key_of(3)));
  const WisdomContents contents = folder_.read();
  EXPECT_EQ(contents.wisdom, (std::map<WisdomKey, Wisdom>{{key_of(2), wisdom_of(2)}}));
  EXPECT_EQ(contents.figures.size(), 1U);
  ASSERT_EQ(complaints_.size(), 2U);
  std::ranges::sort(complaints_, {}, [](const std::string& line) { return line.size(); });
  EXPECT_NE(complaints_[0].find("is named for another key"), std::string::npos);
  EXPECT_NE(complaints_[1].find("is not complete JSON"), std::string::npos);
}

TEST_F(WisdomTest, DamagedFiguresLeaveTheWisdom) {
  store_some();
  const fs::path path = path_ / entry_name(site);
  const std::string good = read_text(path);
  for (const char* value : {"\"1e-06\"", "null", "{}", "[1]", "-1", "true"}) {
    write_text(path, changed(good, "1e-06", value));
    EXPECT_EQ(folder_.find_figures(site), std::nullopt) << value;
    complaint(path.string() + ": ");
    EXPECT_EQ(folder_.find(key_of(1)), wisdom_of(1)) << value;
  }
}

TEST_F(WisdomTest, KeysWithTheSameHashAreToldApart) {
  // A known collision of the 64-bit FNV-1a hash; what follows in both keys is alike.
  WisdomKey one = key_of(1), other = key_of(1);
  one.site.machine = "8yn0iYCKYHlIj4-BwPqk";
  other.site.machine = "GReLUrM4wMqfg9yzV3KQ";
  ASSERT_EQ(entry_name(one), entry_name(other));
  folder_.store(one, wisdom_of(1));
  EXPECT_EQ(folder_.find(other), std::nullopt);
  EXPECT_NE(complaint(path_of(one)).find("same hash"), std::string::npos);
  folder_.store(other, wisdom_of(2));
  EXPECT_EQ(folder_.find(other), wisdom_of(2));
}

TEST_F(WisdomTest, WhatIsNoFileIsReported) {
  const fs::path path = path_of(key_of(1));
  fs::create_directories(path_);
  const std::vector<std::function<void()>> makers{
      [&] { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); },
      [&] { fs::create_symlink("/dev/zero", path); },
      [&] { fs::create_directories(path / "full"); },
  };
  for (const auto& make : makers) {
    fs::remove(path);
    make();
    EXPECT_EQ(folder_.find(key_of(1)), std::nullopt);
    complaint(path.string() + ": is not a regular file");
  }
  folder_.store(key_of(1), wisdom_of(1));
  complaint(path_.string() + ": wisdom is not stored: cannot be written");
  EXPECT_EQ(names().size(), 1U) << "the temporary file stayed";
}

TEST_F(WisdomTest, AFolderThatCannotBeOnlyLosesTheWisdom) {
  write_text(top_ / "plain", "");
  fs::create_symlink(top_ / "loop", top_ / "loop");
  for (const fs::path& path : {top_ / "plain" / "weft", top_ / "loop", fs::path("/proc/weft")}) {
    const WisdomFolder folder = open(path);
    EXPECT_EQ(folder.find(key_of(1)), std::nullopt) << path;
    EXPECT_TRUE(complaints_.empty()) << path;
    folder.store(key_of(1), wisdom_of(1));
    complaint(path.string() + ": wisdom is not stored: cannot be made");
  }
}

TEST_F(WisdomTest, AFileInTheFoldersPlaceIsReportedAndLeftAlone) {
  fs::create_directories(path_.parent_path());
  write_text(path_, "{\"format\": \"weft wisdom\", \"version\": 1}");
  const std::string before = read_text(path_);
  const std::string message = path_.string() + ": is not a folder and is ignored";
  EXPECT_EQ(folder_.find(key_of(1)), std::nullopt);
  const std::string line = complaint(message);
  folder_.store(key_of(1), wisdom_of(1));
  EXPECT_EQ(complaint(message), line) << "two lines on stderr instead of one";
  EXPECT_TRUE(folder_.read().wisdom.empty());
  complaint(message);
  EXPECT_THROW(folder_.clear(), Error);
  EXPECT_EQ(read_text(path_), before);
}

TEST_F(WisdomTest, AFileThatMayNotBeReadIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  store_some();
  fs::permissions(path_of(key_of(1)), fs::perms::none);
  EXPECT_EQ(folder_.find(key_of(1)), std::nullopt);
  complaint(path_of(key_of(1)).string() + ": cannot be read");
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_exec);
  folder_.store(key_of(1), wisdom_of(1));
  complaint(path_.string() + ": wisdom is not stored: cannot be written");
  fs::permissions(path_, fs::perms::owner_all);
}

// --- at once ---

/// A process that does the work and exits without running destructors.
template <class Work>
pid_t start_process(const Work& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

bool ended_well(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(WisdomTest, NothingIsLostAmongManyWritersAndReadersSeeWholeFiles) {
  constexpr int processes = 4;
  constexpr int threads = 2;
  constexpr int entries = 12;
  constexpr int shared = processes * threads * entries;  // a key that all of them store
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process)
    children.push_back(start_process([&] {
      const auto write = [&](int thread) {
        const int writer = process * threads + thread;
        for (int i = 0; i < entries; ++i) {
          folder_.store(key_of(writer * entries + i), wisdom_of(writer * entries + i));
          folder_.store(key_of(shared), wisdom_of(writer));
          folder_.store_figures(site, {{"writer", writer}});
        }
      };
      std::thread other(write, 1);
      write(0);
      other.join();
      if (!complaints_.empty()) throw Error(complaints_.front());
    }));
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    std::set<int> seen;
    while (!stop) {
      folder_.read();
      for (int i = 0; i <= shared; ++i) {
        const bool found = folder_.find(key_of(i)).has_value();
        EXPECT_TRUE(found || !seen.contains(i)) << "entry " << i << " is gone";
        if (found) seen.insert(i);
      }
    }
  });
  for (const pid_t child : children) EXPECT_TRUE(ended_well(child));
  stop = true;
  reader.join();
  EXPECT_TRUE(complaints_.empty()) << complaints_.front();
  const WisdomContents contents = folder_.read();
  EXPECT_EQ(contents.wisdom.size(), std::size_t{shared + 1});
  for (int i = 0; i < shared; ++i) EXPECT_EQ(contents.wisdom.at(key_of(i)), wisdom_of(i));
  EXPECT_EQ(names().size(), contents.wisdom.size() + 1) << "temporary files stayed";
}

TEST_F(WisdomTest, AWriterMayBeKilledAtAnyMoment) {
  std::mt19937 random(2026);
  int expected = 0;
  for (int round = 0; round < 25; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = start_process([&] {
      for (int i = expected;; ++i) {
        folder_.store(key_of(i), wisdom_of(i));
        if (write(ends[1], "", 1) != 1) _exit(1);  // a byte for each that is safe
      }
    });
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 20000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    char safe[256];
    for (ssize_t got; (got = read(ends[0], safe, sizeof safe)) > 0;)
      expected += static_cast<int>(got);
    close(ends[0]);
    const auto stored = static_cast<int>(folder_.read().wisdom.size());
    ASSERT_TRUE(complaints_.empty()) << complaints_.front();
    // The last one may have been stored, but not yet reported.
    ASSERT_TRUE(stored == expected || stored == expected + 1) << stored << " of " << expected;
    expected = stored;
  }
  EXPECT_GT(expected, 0);
  // Files left by killed writers are deleted when they are old.
  for (const std::string& name : names())
    if (name.starts_with("."))
      fs::last_write_time(path_ / name, fs::file_time_type::clock::now() - 2h);
  folder_.store(key_of(0), wisdom_of(0));
  EXPECT_EQ(names().size(), static_cast<std::size_t>(expected));
}

}  // namespace
}  // namespace weft
