// Threads of a block that are watched: they run in random order, shared memory begins as NaN, and
// two threads that touch a word of it in one phase, one of them writing, are an error. Counts what
// the hardware would move: sectors of memory, and cycles of shared memory's banks. Slow.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_kernel/host_team.hpp"
#include "device_kernel/tile_plan.hpp"

namespace weft::test {

/// Of all warps or wavefronts. Ideal are as many as the bytes need.
struct TrafficCounters {
  Index read_bytes = 0;
  Index read_sectors = 0;  ///< of 32 bytes
  Index written_bytes = 0;
  Index written_sectors = 0;
  Index bank_cycles = 0;
  Index ideal_bank_cycles = 0;

  double read_ratio() const { return ratio(32 * read_sectors, read_bytes); }
  double write_ratio() const { return ratio(32 * written_sectors, written_bytes); }
  double bank_ratio() const { return ratio(bank_cycles, ideal_bank_cycles); }

 private:
  static double ratio(Index is, Index ideal) {
    return ideal == 0 ? 1 : static_cast<double>(is) / static_cast<double>(ideal);
  }
};

/// The devices of a vendor, as far as plans and traffic depend on them.
struct TestedDevice {
  TileLimits limits = {};
  int together = 32;  ///< threads that do their n-th access together: a warp, a wavefront
};
/// A compute unit of AMD's CDNA 2 and 3 (Instinct MI200 and MI300 instruction set guides).
inline constexpr TestedDevice compute_unit{{64 << 10, 1024, 128 << 10}, 64};

class CheckedTeam : public HostTeam {
 public:
  CheckedTeam(int threads, int shared_bytes, const DeviceTranslation& translate,
              TrafficCounters& counters, int together = TestedDevice().together)
      : HostTeam(threads, shared_bytes, translate),
        counters_(counters),
        together_(together),
        order_(threads) {
    for (int thread = 0; thread < threads; ++thread) order_[thread] = thread;
    std::memset(shared(0), 0xff, HostTeam::shared_bytes());
    words_.resize(HostTeam::shared_bytes() / 4);
  }

  template <class Body>
  void each(Body&& body) const {
    std::shuffle(order_.begin(), order_.end(), random_);
    std::fill(words_.begin(), words_.end(), Word{});
    for (const int thread : order_) {
      thread_ = thread;
      access_ = 0;
      body(thread);
    }
    count();
  }
  template <class T>
  class PerThread : public HostTeam::PerThread<T> {
   public:
    explicit PerThread(const CheckedTeam& team) : HostTeam::PerThread<T>(team) {}
  };
  template <class T>
  T get(int slot) const {
    touch(slot * sizeof(T), sizeof(T), false);
    const T value = HostTeam::get<T>(slot);
    if (std::isnan(value.re)) throw std::runtime_error("a number that nobody wrote is read");
    return value;
  }
  template <class T>
  void put(int slot, T value) const {
    touch(slot * sizeof(T), sizeof(T), true);
    HostTeam::put(slot, value);
  }
  template <class T>
  T read(DeviceAddress address) const {
    note({Access::read, address, sizeof(T)});
    return HostTeam::read<T>(address);
  }
  template <class T>
  void write(DeviceAddress address, T value) const {
    note({Access::write, address, sizeof(T)});
    HostTeam::write(address, value);
  }

 private:
  struct Access {
    enum What { read, write, shared } what;
    std::uint64_t address;
    std::size_t bytes;
    int thread = 0;
  };
  /// The threads that have touched four bytes of shared memory; -1 is nobody.
  struct Word {
    int reader = -1;
    int writer = -1;
  };

  void note(Access access) const {
    access.thread = thread_;
    accesses_[{thread_ / together_, access_++}].push_back(access);
  }
  void touch(std::size_t begin, std::size_t bytes, bool writes) const {
    note({Access::shared, begin, bytes});
    for (std::size_t word = begin / 4; word < (begin + bytes) / 4; ++word) {
      Word& touched = words_.at(word);
      const auto other = [&](int who) { return who >= 0 && who != thread_; };
      if (other(touched.writer) || (writes && other(touched.reader)))
        throw std::runtime_error("race in shared memory, thread " + std::to_string(thread_));
      (writes ? touched.writer : touched.reader) = thread_;
    }
  }
  void count() const {
    for (auto& [when, accesses] : accesses_) {
      std::ranges::sort(accesses, {}, &Access::thread);
      if (accesses.front().what == Access::shared)
        count_banks(accesses);
      else
        count_sectors(accesses);
    }
    accesses_.clear();
  }
  void count_sectors(const std::vector<Access>& accesses) const {
    std::set<std::uint64_t> sectors;
    Index bytes = 0;
    for (const Access& access : accesses) {
      bytes += static_cast<Index>(access.bytes);
      for (auto s = access.address / 32; s <= (access.address + access.bytes - 1) / 32; ++s)
        sectors.insert(s);
    }
    const bool reads = accesses.front().what == Access::read;
    (reads ? counters_.read_bytes : counters_.written_bytes) += bytes;
    (reads ? counters_.read_sectors : counters_.written_sectors) +=
        static_cast<Index>(sectors.size());
  }
  /// There are 32 banks of four bytes. As many threads as need 128 bytes are served at a time.
  void count_banks(const std::vector<Access>& accesses) const {
    const std::size_t together = 128 / accesses.front().bytes;
    for (std::size_t begin = 0; begin < accesses.size(); begin += together) {
      std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
      for (std::size_t i = begin; i < std::min(begin + together, accesses.size()); ++i)
        for (std::uint64_t byte = 0; byte < accesses[i].bytes; byte += 4) {
          const std::uint64_t word = (accesses[i].address + byte) / 4;
          words_of_bank[word % 32].insert(word);
        }
      std::size_t most = 0;
      for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
      counters_.bank_cycles += static_cast<Index>(most);
      ++counters_.ideal_bank_cycles;
    }
  }

  TrafficCounters& counters_;
  int together_;
  mutable std::mt19937 random_{1};
  mutable std::vector<int> order_;
  mutable std::vector<Word> words_;
  mutable std::map<std::pair<int, int>, std::vector<Access>> accesses_;
  mutable int thread_ = 0;
  mutable int access_ = 0;
};

}  // namespace weft::test
