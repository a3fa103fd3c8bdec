// Which rank takes which GPU, on a machine with four GPUs on two NUMA nodes of four cores each.
#include "machine/affinity.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "support/environment.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

std::vector<GpuPlace> four_gpus() {
  const EnvironmentVariable machine("WEFT_TOPOLOGY", WEFT_TOPOLOGIES "/four_gpus.xml");
  const Hardware hardware(Hardware::Cores::all, Hardware::Parts::cores_and_devices);
  return gpus_of(hardware.topology());
}

std::vector<int> gpus_for(const std::vector<std::string>& bindings) {
  std::vector<int> gpus;
  for (const GpuShare& share : share_gpus(four_gpus(), bindings)) gpus.push_back(share.gpu);
  return gpus;
}

using Gpus = std::vector<int>;

TEST(AffinityTest, GpusAreFoundWhereTheyAre) {
  const std::vector<GpuPlace> gpus = four_gpus();
  ASSERT_EQ(gpus.size(), 4U) << "neither the screen nor the network";
  const std::vector<std::string> buses{"0000:19:00.0", "0000:3b:00.0", "0000:9b:00.0",
                                       "0000:cb:00.0"};
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    EXPECT_EQ(gpus[i].bus, buses[i]);
    EXPECT_EQ(gpus[i].near, i < 2 ? "0-3" : "4-7");
    EXPECT_EQ(gpus[i].model, "GH100 [H100 SXM5 80GB]");
    EXPECT_NEAR(gpus[i].bus_rate, 63e9, 1e8);
    ASSERT_EQ(gpus[i].link_rates.size(), 4U);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(gpus[i].link_rates[j], i == j           ? 0
                                       : i / 2 == j / 2 ? 200e9
                                                        : 100e9)
          << i << " " << j;
  }
}

/// The same machine with accelerators of AMD: an MI300X has another class than GPUs with a screen.
TEST(AffinityTest, GpusOfAmdAreFoundAsWell) {
  std::ifstream file(WEFT_TOPOLOGIES "/four_gpus.xml");
  std::string topology(std::istreambuf_iterator<char>(file), {});
  const auto replace = [&](const std::string& text, const std::string& by) {
    for (auto at = topology.find(text); at != std::string::npos; at = topology.find(text, at))
      topology.replace(at, text.size(), by);
  };
  replace("0302 [10de:2330]", "1200 [1002:74a1]");
  replace("NVIDIA Corporation", "Advanced Micro Devices, Inc. [AMD/ATI]");
  replace("GH100 [H100 SXM5 80GB]", "Aqua Vanjaram [Instinct MI300X]");
  replace("NVLinkBandwidth", "XGMIBandwidth");
  const std::string path = testing::TempDir() + "weft_amd_" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << topology;

  const EnvironmentVariable machine("WEFT_TOPOLOGY", path);
  const Hardware hardware(Hardware::Cores::all, Hardware::Parts::cores_and_devices);
  std::filesystem::remove(path);
  const std::vector<GpuPlace> gpus = gpus_of(hardware.topology());
  ASSERT_EQ(gpus.size(), 4U);
  EXPECT_EQ(gpus[2].bus, "0000:9b:00.0");
  EXPECT_EQ(gpus[2].model, "Aqua Vanjaram [Instinct MI300X]");
  EXPECT_EQ(gpus[2].link_rates, (std::vector<double>{100e9, 100e9, 0, 200e9}));
}

TEST(AffinityTest, AMachineWithoutGpus) {
  const EnvironmentVariable machine("WEFT_TOPOLOGY", "numa:2 core:4 pu:1");
  const Hardware hardware(Hardware::Cores::all, Hardware::Parts::cores_and_devices);
  EXPECT_TRUE(gpus_of(hardware.topology()).empty());
  EXPECT_TRUE(gpus_of(nullptr).empty());
  for (const GpuShare& share : share_gpus({}, {"0", "1"})) EXPECT_EQ(share.gpu, -1);
}

TEST(AffinityTest, RanksTakeWhatIsNear) {
  EXPECT_EQ(gpus_for({"0-1", "2-3", "4-5", "6-7"}), (Gpus{0, 1, 2, 3}));
  EXPECT_EQ(gpus_for({"4", "0", "5", "1"}), (Gpus{2, 0, 3, 1}));
  EXPECT_EQ(gpus_for({"7", "1"}), (Gpus{2, 0}));
  EXPECT_EQ(gpus_for({"0", "1", "2", "3", "4", "5", "6", "7"}), (Gpus{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(AffinityTest, NoGpuIsLeftIdleForBeingFar) {
  const auto shares = share_gpus(four_gpus(), {"0", "1", "2", "3"});
  EXPECT_EQ(shares[0].gpu, 0);
  EXPECT_EQ(shares[1].gpu, 1);
  EXPECT_EQ(shares[2].gpu, 2);
  EXPECT_EQ(shares[3].gpu, 3);
  EXPECT_TRUE(shares[1].is_near);
  EXPECT_FALSE(shares[2].is_near);
}

TEST(AffinityTest, RanksThatMayTakeAnyComeLast) {
  EXPECT_EQ(gpus_for({"0-7", "0-7", "0", "1"}), (Gpus{2, 3, 0, 1}));
  EXPECT_EQ(gpus_for({"0-7"}), (Gpus{0}));
}

/// Every number of ranks, bound in every way to one of the two halves or to all.
TEST(AffinityTest, SharesAreEven) {
  const std::vector<std::string> halves{"0-3", "4-7", "0-7"};
  const std::vector<GpuPlace> gpus = four_gpus();
  for (int ranks = 1; ranks <= 7; ++ranks) {
    int ways = 1;
    for (int rank = 0; rank < ranks; ++rank) ways *= 3;
    for (int way = 0; way < ways; ++way) {
      std::vector<std::string> bindings;
      for (int rank = 0, rest = way; rank < ranks; ++rank, rest /= 3)
        bindings.push_back(halves[static_cast<std::size_t>(rest % 3)]);
      std::vector<int> loads(gpus.size(), 0);
      for (const GpuShare& share : share_gpus(gpus, bindings)) {
        ASSERT_GE(share.gpu, 0);
        ++loads[static_cast<std::size_t>(share.gpu)];
      }
      const auto [least, most] = std::ranges::minmax(loads);
      ASSERT_LE(most - least, 1) << ranks << " ranks, way " << way;
    }
  }
}

TEST(AffinityTest, AFileThatIsNoTopologyIsAnError) {
  const EnvironmentVariable machine("WEFT_TOPOLOGY", "/nowhere/machine.xml");
  expect_error([] { Hardware(); }, {"WEFT_TOPOLOGY", "machine.xml", ".xml"});
}

}  // namespace
}  // namespace weft::test
