// Wisdom without MPI: what is stored is found again, whatever becomes of the file in between:
// damage of every kind, many writers at once, writers that are killed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <weft/error.hpp>

#include "machine/name.hpp"
#include "mpi/library_name.hpp"
#include "tune/wisdom.hpp"
#include "tune/wisdom_json.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const Site site{"2 x Some Processor, 8 cores, caches 32K 1M 32M", "Open MPI 4.1.4", 8, 4};

WisdomKey key_of(int number) { return {site, fmt::format("{}x4 c2c double", number), "auto"}; }

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

/// A folder of the test's own, and a wisdom file in a folder below it that is not there yet.
class WisdomTest : public testing::Test {
 protected:
  WisdomTest() {
    std::string name = testing::TempDir() + "weft-wisdom-XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ / "cache" / "wisdom.json";
  }
  ~WisdomTest() override { fs::remove_all(folder_); }

  /// A file of two entries and one site's figures.
  std::string store_some() {
    WisdomFile file(path_);
    file.store(key_of(1), wisdom_of(1));
    file.store(key_of(2), wisdom_of(2));
    file.store_figures(site, {{"bandwidth", 1.5e10}, {"alpha p2p", 1e-6}});
    return read_text(path_);
  }

  fs::path folder_;
  fs::path path_;
};

// --- round trips ---

TEST_F(WisdomTest, IsFoundAgain) {
  WisdomFile file(path_);
  EXPECT_EQ(file.find(key_of(1)), std::nullopt);
  EXPECT_TRUE(file.complaints().empty());
  store_some();
  EXPECT_EQ(file.find(key_of(1)), wisdom_of(1));
  EXPECT_EQ(file.find(key_of(2)), wisdom_of(2));
  EXPECT_EQ(file.find(key_of(3)), std::nullopt);
  EXPECT_EQ(file.read().wisdom.size(), 2U);
  EXPECT_TRUE(file.complaints().empty());
}

TEST_F(WisdomTest, EveryPartOfTheKeyCounts) {
  WisdomFile file(path_);
  file.store(key_of(1), wisdom_of(1));
  std::vector<WisdomKey> others(6, key_of(1));
  others[0].site.machine += "x";
  others[1].site.mpi += "x";
  others[2].site.ranks = 9;
  others[3].site.ranks_per_node = 5;
  others[4].transform += "x";
  others[5].options = "output=natural";
  for (const WisdomKey& other : others) EXPECT_EQ(file.find(other), std::nullopt);
}

TEST_F(WisdomTest, IsReplacedAndRemoved) {
  WisdomFile file(path_);
  store_some();
  file.store(key_of(1), wisdom_of(7));
  EXPECT_EQ(file.find(key_of(1)), wisdom_of(7));
  EXPECT_TRUE(file.remove(key_of(1)));
  EXPECT_FALSE(file.remove(key_of(1)));
  EXPECT_EQ(file.find(key_of(1)), std::nullopt);
  EXPECT_EQ(file.find(key_of(2)), wisdom_of(2));
  file.clear();
  EXPECT_TRUE(file.read().wisdom.empty());
  EXPECT_EQ(file.find_figures(site), std::nullopt);
}

TEST_F(WisdomTest, FiguresOfASiteAddUp) {
  WisdomFile file(path_);
  EXPECT_EQ(file.find_figures(site), std::nullopt);
  file.store_figures(site, {{"a", 1}, {"b", -2.5e-7}});
  file.store_figures(site, {{"b", 3}, {"c", 1e300}});
  EXPECT_EQ(file.find_figures(site), (Figures{{"a", 1}, {"b", 3}, {"c", 1e300}}));
  Site other = site;
  other.ranks = 2;
  EXPECT_EQ(file.find_figures(other), std::nullopt);
}

TEST_F(WisdomTest, TodayIsTheDateWhereNoneIsGiven) {
  WisdomFile file(path_);
  Wisdom wisdom = wisdom_of(1);
  wisdom.date.clear();
  file.store(key_of(1), wisdom);
  EXPECT_EQ(file.find(key_of(1))->date.size(), std::string("2024-02-29").size());
}

TEST_F(WisdomTest, LeavesNothingBesideButTheLock) {
  store_some();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_.parent_path()))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"wisdom.json", "wisdom.json.lock"}));
}

TEST_F(WisdomTest, ALinkToItStaysALink) {
  store_some();
  const fs::path link = folder_ / "link.json";
  fs::create_symlink(path_, link);
  WisdomFile(link).store(key_of(3), wisdom_of(3));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(WisdomFile(path_).find(key_of(3)), wisdom_of(3));
}

TEST_F(WisdomTest, WhatCouldNotBeReadAgainIsRefused) {
  WisdomFile file(path_);
  const std::string before = store_some();
  Wisdom unknown = wisdom_of(3);
  unknown.options = "exchange=pigeon";
  EXPECT_THROW(file.store(key_of(3), unknown), Error);
  Wisdom endless = wisdom_of(3);
  endless.measured_seconds = std::numeric_limits<double>::infinity();
  EXPECT_THROW(file.store(key_of(3), endless), Error);
  WisdomKey lines = key_of(3);
  lines.transform = "two\nlines";
  EXPECT_THROW(file.store(lines, wisdom_of(3)), Error);
  WisdomKey nobody = key_of(3);
  nobody.site.ranks = 0;
  EXPECT_THROW(file.store(nobody, wisdom_of(3)), Error);
  EXPECT_THROW(file.store_figures(site, {{"a", std::nan("")}}), Error);
  EXPECT_EQ(read_text(path_), before);
}

// --- damage ---

TEST_F(WisdomTest, ADamagedFileIsReportedIgnoredAndKeptAside) {
  const std::string good = store_some();
  const std::vector<std::pair<std::string, std::string>> damages{
      {"", "is empty"},
      {good.substr(0, good.size() / 2), "is no JSON"},
      {std::string("\x7f\x45\x4c\x46\0\xff\xfe", 7), "is no JSON"},
      {std::string(1 << 20, '['), "is no JSON"},
      {std::string(16 << 20, ' ') + good, "larger than 16 MiB"},
      {good + "}", "is no JSON"},
      {"[1, 2, 3]", "is no wisdom"},
      {"{\"name\": \"weft\"}", "is no wisdom"},
      {"17", "is no wisdom"},
      {"null", "is no wisdom"},
      {changed(good, "weft wisdom", "left wisdom"), "\"format\" is not"},
      {changed(good, "\"version\": 1", "\"version\": 2"), "\"version\" is not 1"},
      {changed(good, "\"version\": 1", "\"version\": \"1\""), "\"version\" is not 1"},
      {"{\"format\": \"weft wisdom\", \"version\": 1}", "\"wisdom\" is missing"},
      {"{\"format\": \"weft wisdom\", \"version\": 1, \"wisdom\": {}}", "\"wisdom\" is not a list"},
      {changed(good, "0.001", "1e999"), "number that is too large"},
  };
  for (const auto& [text, message] : damages) {
    write_text(path_, text);
    WisdomFile file(path_);
    EXPECT_EQ(file.find(key_of(1)), std::nullopt);
    ASSERT_EQ(file.complaints().size(), 1U) << message;
    const std::string complaint = file.complaints().front();
    EXPECT_TRUE(complaint.starts_with(path_.string() + ": ")) << complaint;
    EXPECT_NE(complaint.find(message), std::string::npos) << complaint << " for " << message;
    EXPECT_NE(complaint.find("ignored"), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
    file.store(key_of(5), wisdom_of(5));
    EXPECT_EQ(file.complaints().size(), 1U);
    EXPECT_EQ(file.find(key_of(5)), wisdom_of(5));
    EXPECT_TRUE(file.complaints().empty());
    EXPECT_EQ(read_text(path_.string() + ".damaged"), text);
  }
}

TEST_F(WisdomTest, DamagedEntriesAreLeftOutOneByOne) {
  const std::string good = store_some();
  const std::vector<std::pair<std::string, std::string>> damages{
      {"\"ranks\": 8", "\"ranks\": \"8\""},
      {"\"ranks\": 8", "\"ranks\": 8.5"},
      {"\"ranks\": 8", "\"ranks\": -8"},
      {"\"ranks\": 8", "\"ranks\": 8000000000"},
      {"\"ranks\": 8", "\"ranks\": 0"},
      {"\"ranks\": 8", "\"ranks\": true"},
      {"\"ranks\": 8", "\"Ranks\": 8"},
      {"\"measured_seconds\": 0.001", "\"measured_seconds\": null"},
      {"\"measured_seconds\": 0.001", "\"measured_seconds\": -0.001"},
      {"\"transform\": \"1x4", "\"transform\": \"\\u001b[2J1x4"},
      {"\"options\": \"exchange=p2p, grid=4x2\"", "\"options\": [[[[[[[1]]]]]]]"},
      {"{\n      \"machine\"", "5, {\n      \"machine\""},
  };
  for (const auto& [part, other] : damages) {
    const std::string text = changed(good, part, other);
    write_text(path_, text);
    WisdomFile file(path_);
    EXPECT_EQ(file.find(key_of(2)), wisdom_of(2)) << other;
    ASSERT_EQ(file.complaints().size(), 1U) << other;
    EXPECT_NE(file.complaints().front().find(": wisdom 1: "), std::string::npos)
        << file.complaints().front();
    EXPECT_TRUE(file.find_figures(site));
    file.store(key_of(3), wisdom_of(3));
    EXPECT_EQ(read_text(path_.string() + ".damaged"), text);
    EXPECT_EQ(file.find(key_of(2)), wisdom_of(2));
    EXPECT_TRUE(file.complaints().empty());
  }
}

TEST_F(WisdomTest, DamagedFiguresLeaveTheWisdom) {
  const std::string good = store_some();
  for (const char* value : {"\"1e-06\"", "null", "{}", "[1]"}) {
    write_text(path_, changed(good, "1e-06", value));
    WisdomFile file(path_);
    EXPECT_EQ(file.find_figures(site), std::nullopt) << value;
    EXPECT_EQ(file.complaints().size(), 1U) << value;
    EXPECT_EQ(file.find(key_of(1)), wisdom_of(1)) << value;
  }
}

TEST_F(WisdomTest, ManyDamagedEntriesAreAFewComplaints) {
  std::string entries = "1";
  for (int i = 0; i < 999; ++i) entries += ",1";
  const WisdomContents contents =
      parse_wisdom("{\"format\": \"weft wisdom\", \"version\": 1, \"machines\": [], \"wisdom\": [" +
                       entries + "]}",
                   "file");
  ASSERT_EQ(contents.complaints.size(), 5U);
  EXPECT_NE(contents.complaints.back().find("996 more"), std::string::npos);
}

TEST_F(WisdomTest, OptionsOfAnotherBuildAreIgnoredButKept) {
  const std::string other = changed(store_some(), "exchange=p2p", "exchange=pigeon");
  write_text(path_, other);
  WisdomFile file(path_);
  EXPECT_EQ(file.find(key_of(1)), std::nullopt);
  ASSERT_EQ(file.complaints().size(), 1U);
  EXPECT_NE(file.complaints().front().find("pigeon"), std::string::npos);
  file.store(key_of(3), wisdom_of(3));
  EXPECT_EQ(file.read().wisdom.at(key_of(1)).options, "exchange=pigeon, grid=4x2");
}

TEST_F(WisdomTest, WhatIsNoFileIsReportedAndLeftAlone) {
  fs::create_directories(path_.parent_path());
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const fs::path loop = folder_ / "loop";
  fs::create_symlink(loop, loop);
  write_text(folder_ / "plain", "");
  for (const fs::path& path :
       {folder_, pipe, loop, fs::path("/dev/zero"), folder_ / "plain" / "wisdom.json"}) {
    WisdomFile file(path, {100ms});
    EXPECT_EQ(file.find(key_of(1)), std::nullopt) << path;
    EXPECT_EQ(file.complaints().size(), 1U) << path;
    if (path == "/dev/zero") continue;
    EXPECT_THROW(file.store(key_of(1), wisdom_of(1)), Error) << path;
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(WisdomTest, AFileThatMayNotBeReadIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  store_some();
  fs::permissions(path_, fs::perms::none);
  WisdomFile file(path_);
  EXPECT_EQ(file.find(key_of(1)), std::nullopt);
  EXPECT_EQ(file.complaints().size(), 1U);
  EXPECT_THROW(file.store(key_of(1), wisdom_of(1)), Error);
}

/// Whatever came out of a damaged text must be sound, since it is written again.
void check_sound(const std::string& text) {
  const WisdomContents contents = parse_wisdom(text, "file");
  for (const std::string& complaint : contents.complaints)
    ASSERT_EQ(complaint.find('\n'), std::string::npos) << complaint;
  const WisdomContents again = parse_wisdom(print_wisdom(contents), "file");
  ASSERT_TRUE(again.complaints.empty()) << again.complaints.front();
  ASSERT_EQ(again.wisdom, contents.wisdom);
  ASSERT_EQ(again.figures, contents.figures);
}

TEST_F(WisdomTest, CutAnywhereItIsADamagedFile) {
  const std::string good = store_some();
  for (std::size_t length = 0; length + 1 < good.size(); ++length) {
    const WisdomContents contents = parse_wisdom(good.substr(0, length), "file");
    ASSERT_EQ(contents.complaints.size(), 1U) << length;
    ASSERT_TRUE(contents.wisdom.empty() && contents.figures.empty()) << length;
  }
}

TEST_F(WisdomTest, FlippedBytesNeverDoHarm) {
  const std::string good = store_some();
  std::mt19937 random(2024);
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      text[random() % text.size()] = static_cast<char>(random());
    ASSERT_NO_FATAL_FAILURE(check_sound(text)) << "round " << round;
  }
}

TEST_F(WisdomTest, ShuffledTokensNeverDoHarm) {
  const std::string good = store_some();
  const std::vector<std::string> tokens{
      "{",    "}",     "[",   "]",  ",",       ":",    "\"",           "\\", "-1",
      "1e99", "1e999", "0.5", "{}", "\\u0000", "null", "\"ranks\": 8", "\n"};
  std::mt19937 random(2025);
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    const std::size_t at = random() % text.size();
    text.replace(at, random() % 20, tokens[random() % tokens.size()]);
    ASSERT_NO_FATAL_FAILURE(check_sound(text)) << "round " << round;
  }
}

// --- at once ---

/// A process that does the work and ends without running anybody's destructors.
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
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process)
    children.push_back(start_process([&] {
      const auto write = [&](int thread) {
        const int first = (process * threads + thread) * entries;
        WisdomFile file(path_);
        for (int i = first; i < first + entries; ++i) file.store(key_of(i), wisdom_of(i));
        file.store_figures(site, {{fmt::format("figure {}", first), 1}});
      };
      std::thread other(write, 1);
      write(0);
      other.join();
    }));
  std::atomic<bool> stop = false;
  std::size_t seen = 0;
  std::thread reader([&] {
    while (!stop) {
      WisdomFile file(path_);
      const std::size_t now = file.read().wisdom.size();
      EXPECT_TRUE(file.complaints().empty()) << file.complaints().front();
      EXPECT_GE(now, seen);
      seen = now;
    }
  });
  for (const pid_t child : children) EXPECT_TRUE(ended_well(child));
  stop = true;
  reader.join();
  const WisdomContents contents = WisdomFile(path_).read();
  EXPECT_EQ(contents.wisdom.size(), std::size_t{processes * threads * entries});
  EXPECT_EQ(contents.figures.at(site).size(), std::size_t{processes * threads});
  for (const auto& [key, wisdom] : contents.wisdom) EXPECT_EQ(wisdom.candidates, 17);
}

TEST_F(WisdomTest, AWriterMayBeKilledAtAnyMoment) {
  std::mt19937 random(2026);
  int expected = 0;
  for (int round = 0; round < 25; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = start_process([&] {
      WisdomFile file(path_);
      for (int i = expected;; ++i) {
        file.store(key_of(i), wisdom_of(i));
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
    WisdomFile file(path_, {1000ms});
    const auto stored = static_cast<int>(file.read().wisdom.size());
    ASSERT_TRUE(file.complaints().empty()) << file.complaints().front();
    // The last one may have been stored and not been told.
    ASSERT_TRUE(stored == expected || stored == expected + 1) << stored << " of " << expected;
    expected = stored;
    file.store_figures(site, {{"round", round}});
  }
  EXPECT_GT(expected, 0);
}

TEST_F(WisdomTest, WaitsForALockNoLongerThanItShould) {
  const std::string before = store_some();
  const fs::path lock = path_.string() + ".lock";
  std::FILE* held = std::fopen(lock.c_str(), "r+");
  ASSERT_EQ(flock(fileno(held), LOCK_EX), 0);
  WisdomFile file(path_, {50ms});
  try {
    file.store(key_of(3), wisdom_of(3));
    ADD_FAILURE() << "stored in spite of the lock";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another job has held the lock for 0.05 s"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(file.find(key_of(1)), wisdom_of(1)) << "readers need no lock";
  EXPECT_EQ(read_text(path_), before);
  std::fclose(held);
  file.store(key_of(3), wisdom_of(3));
}

TEST_F(WisdomTest, WorksWithoutLocksAndSaysSo) {
  WisdomFile file(path_, {50ms, [](int) { return ENOLCK; }});
  file.store(key_of(1), wisdom_of(1));
  ASSERT_EQ(file.complaints().size(), 1U);
  EXPECT_NE(file.complaints().front().find("no locks"), std::string::npos);
  EXPECT_EQ(file.find(key_of(1)), wisdom_of(1));
}

TEST_F(WisdomTest, WithoutLocksFilesStillAreWhole) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer)
    writers.emplace_back([&, writer] {
      WisdomFile file(path_, {50ms, [](int) { return ENOSYS; }});
      for (int i = 0; i < 10; ++i) file.store(key_of(10 * writer + i), wisdom_of(i));
    });
  WisdomFile file(path_);
  for (int i = 0; i < 100; ++i) {
    file.read();
    EXPECT_TRUE(file.complaints().empty());
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_FALSE(file.read().wisdom.empty());
  EXPECT_TRUE(file.complaints().empty());
}

// --- names ---

/// Environment variables as they were, when it goes.
class Environment {
 public:
  explicit Environment(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const char* value = std::getenv(name.c_str());
      saved_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name.c_str());
    }
  }
  ~Environment() {
    for (const auto& [name, value] : saved_)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> saved_;
};

TEST(WisdomPath, FollowsTheEnvironment) {
  const Environment environment({"WEFT_WISDOM", "XDG_CACHE_HOME", "HOME"});
  EXPECT_EQ(wisdom_path(), std::nullopt);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(wisdom_path(), "/home/me/.cache/weft/wisdom.json");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  EXPECT_EQ(wisdom_path(), "/home/me/.cache/weft/wisdom.json");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(wisdom_path(), "/cache/weft/wisdom.json");
  setenv("WEFT_WISDOM", "here.json", 1);
  EXPECT_EQ(wisdom_path(), "here.json");
  for (const char* none : {"", "none"}) {
    setenv("WEFT_WISDOM", none, 1);
    EXPECT_EQ(wisdom_path(), std::nullopt);
  }
}

TEST(WisdomName, SaysWhatIsTransformed) {
  Transform transform({8, 6, 4}, Kind::r2c);
  EXPECT_EQ(wisdom_name(transform), "8x6x4 r2c double");
  transform.scale.rule = Scale::Rule::ortho;
  EXPECT_EQ(wisdom_name(transform), "8x6x4 r2c double");
  EXPECT_EQ(wisdom_name(Transform({8, 6}, Kind::dct2, {}, Precision::single_)), "8x6 dct2 float");
  EXPECT_EQ(wisdom_name(Transform({8, 6, 4}, Kind::r2c, {1, 2})), "8x6x4 none,c2c,r2c double");
  EXPECT_EQ(wisdom_name(Transform({8, 6}, Kind::r2c, {1, 0})), "8x6 r2c,c2c double");
  transform.modes.assign(3, Modes{});
  EXPECT_EQ(wisdom_name(transform), "8x6x4 r2c double");
  transform.modes[1] = Modes::up_to(2);
  transform.dropped = Dropped::zero;
  EXPECT_EQ(wisdom_name(transform), "8x6x4 r2c double, modes all,-2..2,all, dropped zero");
  transform.modes.clear();
  transform.dropped = Dropped::absent;
  transform.ellipse = {2.5, 2, 0};
  EXPECT_EQ(wisdom_name(transform), "8x6x4 r2c double, ellipse 2.5,2,0");
}

TEST(MachineName, IsALine) {
  EXPECT_NE(machine_name().find("core"), std::string::npos) << machine_name();
  EXPECT_EQ(machine_name().find('\n'), std::string::npos);
  EXPECT_EQ(short_processor_name("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"),
            "Intel Xeon Gold 6148");
  EXPECT_EQ(short_processor_name("AMD EPYC 7763 64-Core Processor                "),
            "AMD EPYC 7763 64-Core Processor");
}

TEST(MpiName, IsShort) {
  for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
           {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4",
            "Open MPI 4.1.4"},
           {"Open MPI v5.0.0rc12, package: someone's", "Open MPI 5.0.0rc12"},
           {"MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7", "MPICH 4.0.2"},
           {"Intel(R) MPI Library 2021.9 for Linux* OS\n", "Intel(R) MPI Library 2021.9"},
           {"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release", "MVAPICH2 2.3.7"},
           {"MPI VERSION    : CRAY MPICH version 8.1.4.31 (ANL base 3.4a2)\n",
            "CRAY MPICH 8.1.4.31"},
           {"Something else", "Something else"},
           {"", "unknown MPI"}})
    EXPECT_EQ(short_mpi_name(text), name);
  EXPECT_FALSE(mpi_name().empty());
}

}  // namespace
}  // namespace weft
