// The plugin's calls of NCCL and cuFFT, on libraries that stand in for them on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>
#include <weft/error.hpp>

#include "gpu/communicator.hpp"
#include "gpu/fft_library-inl.hpp"
#include "support/error_checks.hpp"

namespace weft {
namespace {

using test::error_of;
using Message = DeviceMessages::Message;

/// Runs `work(group, self)` as each member of a new group.
void as_members(int members, const std::function<void(GpuCommunicator&, int)>& work) {
  const GroupName name = new_group_name();
  std::vector<std::jthread> threads;
  for (int self = 0; self < members; ++self)
    threads.emplace_back([&, self] {
      GpuCommunicator group(name, members, self);
      work(group, self);
    });
}

std::vector<std::byte> bytes_of(int from, int to, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(i * 3 + static_cast<std::size_t>(from * 17 + to * 5));
  return bytes;
}

TEST(Nccl, SaysItsVersion) { EXPECT_EQ(message_library_version(), "NCCL 2.28.9"); }

/// Several exchanges, each with messages of another size to and from every other member.
TEST(Nccl, BlocksGoToAllMembers) {
  constexpr int members = 4;
  as_members(members, [](GpuCommunicator& group, int self) {
    for (const std::size_t size : {1, 1000, 70000}) {
      std::vector<std::vector<std::byte>> sent(members), received(members);
      std::vector<Message> outgoing, incoming;
      for (int peer = 0; peer < members; ++peer) {
        const auto place = static_cast<std::size_t>(peer);
        if (peer == self) continue;
        sent[place] = bytes_of(self, peer, size + place);
        received[place].resize(size + static_cast<std::size_t>(self));
        outgoing.push_back({peer, sent[place].data(), sent[place].size()});
        incoming.push_back({peer, received[place].data(), received[place].size()});
      }
      group.exchange(outgoing, incoming, nullptr);
      group.check();
      for (int peer = 0; peer < members; ++peer) {
        if (peer == self) continue;
        const auto& found = received[static_cast<std::size_t>(peer)];
        EXPECT_EQ(found, bytes_of(peer, self, found.size())) << peer << " to " << self;
      }
    }
  });
}

TEST(Nccl, WhatItRefusesIsAnError) {
  as_members(1, [](GpuCommunicator& group, int) {
    std::byte one{};
    const Message message{3, &one, 1};
    test::expect_error(
        [&] {
          group.exchange({&message, 1}, {}, nullptr);
        },
        {"ncclSend or ncclRecv: invalid usage: no such peer"});
    std::byte sent{7}, received{};
    const Message out{0, &sent, 1}, in{0, &received, 1};
    group.exchange({&out, 1}, {&in, 1}, nullptr);
    EXPECT_EQ(received, sent) << "the calls before were ended";
  });
}

/// A message that fails on its way throws when the group is checked.
TEST(Nccl, AFailureOnTheWayIsAnError) {
  as_members(2, [](GpuCommunicator& group, int self) {
    std::vector<std::byte> memory(64);
    const Message message{1 - self, memory.data(), memory.size()};
    const Message other{1 - self, memory.data(), memory.size() / 2};
    error_of([&] { group.exchange({&message, 1}, {&other, 1}, nullptr); });
    test::expect_error([&] { group.check(); }, {"network error"});
  });
}

TEST(Nccl, AGroupThatWasGivenUpIsAnError) {
  as_members(1, [](GpuCommunicator& group, int) {
    std::byte one{};
    const Message message{0, &one, 1};
    group.give_up();
    group.give_up();
    EXPECT_EQ(error_of([&] {
                group.exchange({&message, 1}, {&message, 1}, nullptr);
              }),
              "messages between devices have been given up");
  });
}

TEST(Nccl, AGroupThatIsFullIsAnError) {
  const GroupName name = new_group_name();
  GpuCommunicator group(name, 1, 0);
  test::expect_error([&] { GpuCommunicator(name, 1, 0); },
                     {"ncclCommInitRank: invalid usage: Duplicate GPU detected"});
}

// ---- cuFFT

using Complex = std::complex<double>;

/// Complex numbers of a line of either precision; of reals where `imaginary` is false.
std::vector<Complex> line_of(const std::vector<double>& values, bool imaginary) {
  std::vector<Complex> line;
  for (std::size_t i = 0; i < values.size(); i += imaginary ? 2 : 1)
    line.emplace_back(values[i], imaginary ? values[i + 1] : 0);
  return line;
}

/// Runs a batch on random numbers, and compares its lines with direct sums.
template <class Real>
double error_of_batch(LineKind kind, Index length, Index lines) {
  const bool from_reals = kind == LineKind::r2c, to_reals = kind == LineKind::c2r;
  LineBatch batch;
  batch.kind = kind;
  batch.precision = sizeof(Real) == 8 ? Precision::double_ : Precision::single_;
  batch.length = length;
  batch.lines = lines;
  batch.input_distance = to_reals ? length / 2 + 1 : length;
  batch.output_distance = from_reals ? length / 2 + 1 : length;
  const Index in_reals = batch.input_distance * (from_reals ? 1 : 2);
  const Index out_reals = batch.output_distance * (to_reals ? 1 : 2);
  std::mt19937 random(1);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<Real> input(static_cast<std::size_t>(in_reals * lines));
  for (Real& number : input) number = uniform(random);
  for (Index line = 0; to_reals && line < lines; ++line) {
    input[static_cast<std::size_t>(line * in_reals + 1)] = 0;
    if (length % 2 == 0) input[static_cast<std::size_t>((line + 1) * in_reals - 1)] = 0;
  }
  std::vector<Real> output(static_cast<std::size_t>(out_reals * lines), NAN);
  const std::vector<Real> sent = input;
  FftLibraryPlan<int>(batch).run(input.data(), output.data(), nullptr);

  double worst = 0;
  for (Index line = 0; line < lines; ++line) {
    const auto part = [line](const std::vector<Real>& all, Index reals) {
      return std::vector<double>(all.begin() + line * reals, all.begin() + (line + 1) * reals);
    };
    std::vector<Complex> in = line_of(part(sent, in_reals), !from_reals);
    const std::vector<Complex> out = line_of(part(output, out_reals), !to_reals);
    for (Index k = batch.input_distance; to_reals && k < length; ++k)
      in.push_back(std::conj(in[static_cast<std::size_t>(length - k)]));
    const double sign = to_reals || kind == LineKind::c2c_backward ? 1 : -1;
    for (std::size_t k = 0; k < out.size(); ++k) {
      Complex sum = 0;
      for (std::size_t j = 0; j < in.size(); ++j)
        sum += in[j] * std::polar(1.0, sign * 2 * std::numbers::pi *
                                           static_cast<double>(j * k % in.size()) /
                                           static_cast<double>(in.size()));
      const double error = std::abs(sum - out[k]);
      worst = error <= worst ? worst : error;  // NaN as well
    }
  }
  return worst;
}

TEST(Cufft, BatchesOfEveryKind) {
  for (const LineKind kind :
       {LineKind::c2c_forward, LineKind::c2c_backward, LineKind::r2c, LineKind::c2r})
    for (const Index length : {1, 2, 15, 64}) {
      EXPECT_LE(error_of_batch<double>(kind, length, 3), 1e-13) << length;
      EXPECT_LE(error_of_batch<float>(kind, length, 5), 1e-4) << length;
    }
}

TEST(Cufft, WhatItRefusesIsAnError) {
  LineBatch batch;
  batch.length = 0;
  EXPECT_EQ(error_of([&] { FftLibraryPlan<int> plan(batch); }),
            "cufftMakePlanMany64 failed with result 8");
}

}  // namespace
}  // namespace weft
