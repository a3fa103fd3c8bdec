// The names of machines, MPIs and transforms under which measurements are stored, and the folder.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/name.hpp"
#include "mpi/library_name.hpp"
#include "support/environment.hpp"
#include "tune/wisdom.hpp"

namespace weft {
namespace {

TEST(WisdomPath, FollowsTheEnvironment) {
  test::EnvironmentVariable wisdom("WEFT_WISDOM"), cache("XDG_CACHE_HOME"), home("HOME");
  for (auto* variable : {&wisdom, &cache, &home}) variable->unset();
  EXPECT_EQ(wisdom_path(), std::nullopt);
  home.set("/home/me");
  EXPECT_EQ(wisdom_path(), "/home/me/.cache/weft");
  cache.set("not/absolute");
  EXPECT_EQ(wisdom_path(), "/home/me/.cache/weft");
  cache.set("/cache");
  EXPECT_EQ(wisdom_path(), "/cache/weft");
  wisdom.set("here");
  EXPECT_EQ(wisdom_path(), "here");
  for (const char* none : {"", "none"}) {
    wisdom.set(none);
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
