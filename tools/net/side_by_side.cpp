// The work is cut into parts with a test after each; without polling it is one part.
#include "net/side_by_side.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "mpi/communicator.hpp"
#include "net/pending_exchange.hpp"

namespace weft::net {
namespace {

/// A thread that waits for exchanges while the main thread computes. It sleeps in between.
class Waiter {
 public:
  Waiter() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}

  void give(PendingExchange& exchange) {
    const std::lock_guard lock(mutex_);
    exchange_ = &exchange;
    changed_.notify_all();
  }
  void join_in() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return exchange_ == nullptr; });
  }

 private:
  void serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return exchange_ != nullptr; })) {
      lock.unlock();
      exchange_->wait();
      lock.lock();
      exchange_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  PendingExchange* exchange_ = nullptr;
  std::jthread thread_;
};

/// One exchange with its work, ready to run in every mode.
class Pair {
 public:
  Pair(const Job& job, Work& work, SideBySide& row)
      : job_(job), work_(work), row_(row), exchange_(job.communicator, row.method, row.bytes) {}

  /// Sets the amount of work to take as long as the exchange: the median of a few runs, once both
  /// are warm.
  void calibrate() {
    const MPI_Comm communicator = job_.communicator;
    const Step exchange = [this] { run_alone(); };
    row_.steps = steps_for(communicator, exchange);
    Samples exchanges;
    Samples units;
    const Step unit = [this] { work_.run(1); };
    const int steps = steps_for(communicator, unit);
    for (int number = 0; number < 9; ++number) {
      exchanges.take(communicator, row_.steps, exchange);
      units.take(communicator, steps, unit);
    }
    unit_seconds_ = units.median();
    row_.units = std::max<Index>(1, std::llround(exchanges.median() / unit_seconds_));
  }

  /// A sample of each alone, and of both together with each policy.
  void take(Waiter* waiter) {
    row_.exchange.take(job_.communicator, row_.steps, [this] { run_alone(); });
    row_.compute.take(job_.communicator, row_.steps, [this] { work_.run(row_.units); });
    for (Together& together : row_.policies) {
      const bool threaded = together.policy.kind == ProgressPolicy::Kind::thread;
      if (together.unavailable.empty()) take_together(together, threaded ? waiter : nullptr);
    }
  }

  void check() const {
    agree(job_.communicator, [this] {
      if (!exchange_.is_right() || !std::isfinite(work_.result()))
        throw Error(fmt::format("{}: the results are wrong; please report this", row_.method));
    });
  }

 private:
  void take_together(Together& together, Waiter* waiter) {
    double computed = 0;
    const Index count = parts(together.policy);
    together.both.take(job_.communicator, row_.steps,
                       [&] { computed += run_together(count, waiter) / row_.steps; });
    together.computed.seconds.push_back(largest(job_.communicator, computed));
  }

  void run_alone() { exchange_.start(), exchange_.wait(); }

  Index parts(const ProgressPolicy& policy) const {
    const double seconds = static_cast<double>(row_.units) * unit_seconds_;
    Index parts = 1;
    if (policy.kind == ProgressPolicy::Kind::poll_count)
      parts = static_cast<Index>(policy.value) + 1;
    if (policy.kind == ProgressPolicy::Kind::poll_time)
      parts = std::max<Index>(1, static_cast<Index>(std::ceil(seconds / policy.value)));
    return std::min(parts, row_.units);
  }

  /// Seconds until the work was done.
  double run_together(Index parts, Waiter* waiter) {
    const double start = MPI_Wtime();
    exchange_.start();
    if (waiter != nullptr) waiter->give(exchange_);
    bool done = false;
    for (Index part = 0; part < parts; ++part) {
      if (part > 0 && !done) done = exchange_.test();
      work_.run(row_.units * (part + 1) / parts - row_.units * part / parts);
    }
    const double computed = MPI_Wtime() - start;
    if (waiter != nullptr)
      waiter->join_in();
    else
      exchange_.wait();
    return computed;
  }

  const Job& job_;
  Work& work_;
  SideBySide& row_;
  PendingExchange exchange_;
  double unit_seconds_ = 0;
};

std::vector<SideBySide> rows_of(const Arguments& arguments) {
  const std::vector<std::string>& methods =
      arguments.methods.empty() ? pending_exchange_names() : arguments.methods;
  std::vector<SideBySide> rows;
  for (const Index bytes : arguments.sizes)
    for (const std::string& method : methods) {
      SideBySide& row = rows.emplace_back();
      row.method = method;
      row.bytes = bytes;
      for (const std::string& name : arguments.progress) {
        const ProgressPolicy policy = parse_policy(name);
        row.policies.push_back({policy, policy.unavailable(), {}, {}});
      }
    }
  return rows;
}

/// The progress thread, if one is possible.
std::unique_ptr<Waiter> waiter_for(const SideBySide& row) {
  for (const Together& together : row.policies)
    if (together.policy.kind == ProgressPolicy::Kind::thread && together.unavailable.empty())
      return std::make_unique<Waiter>();
  return nullptr;
}

}  // namespace

std::string ProgressPolicy::unavailable() const {
  if (kind != Kind::thread || weft::thread_level() == MPI_THREAD_MULTIPLE) return "";
  return fmt::format("a progress thread needs MPI_THREAD_MULTIPLE, and this MPI provides \"{}\"",
                     thread_level());
}

ProgressPolicy parse_policy(const std::string& text) {
  using Kind = ProgressPolicy::Kind;
  if (text == "none") return {text, Kind::none};
  if (text == "thread") return {text, Kind::thread};
  constexpr std::string_view poll = "poll:";
  if (text.starts_with(poll)) {
    const bool in_time = text.ends_with("us");
    const std::string_view digits = std::string_view(text).substr(poll.size());
    const int number =
        number_in<int>(digits.substr(0, digits.size() - (in_time ? 2 : 0))).value_or(0);
    if (number > 0 && in_time) return {text, Kind::poll_time, number * 1e-6};
    if (number > 0) return {text, Kind::poll_count, static_cast<double>(number)};
  }
  throw Error(
      fmt::format("progress \"{}\": valid are none, poll:16 (times in each exchange), poll:50us "
                  "(of work between) and thread",
                  text));
}

std::string thread_level() {
  const int level = weft::thread_level();
  return level == MPI_THREAD_SINGLE       ? "single"
         : level == MPI_THREAD_FUNNELED   ? "funneled"
         : level == MPI_THREAD_SERIALIZED ? "serialized"
                                          : "multiple";
}

std::vector<SideBySide> measure_side_by_side(const Arguments& arguments, const Job& job,
                                             Work& work) {
  std::vector<SideBySide> rows = rows_of(arguments);
  const std::unique_ptr<Waiter> waiter = waiter_for(rows.front());
  std::vector<std::unique_ptr<Pair>> pairs;
  agree(job.communicator, [&] {
    for (SideBySide& row : rows) pairs.push_back(std::make_unique<Pair>(job, work, row));
  });
  for (auto& pair : pairs) pair->calibrate();
  std::vector<Step> turns;
  for (auto& pair : pairs) turns.emplace_back([&] { pair->take(waiter.get()); });
  take_turns(job.communicator, arguments.repeats, turns);
  for (const auto& pair : pairs) pair->check();
  return rows;
}

std::string reasons(const SideBySide& row) {
  std::string text;
  for (const Together& together : row.policies)
    if (!together.unavailable.empty())
      text += fmt::format("  {}: {}\n", together.policy.name, together.unavailable);
  return text;
}

Json json_of(const SideBySide& row) {
  Json one = {{"method", row.method},
              {"bytes", row.bytes},
              {"units", row.units},
              {"exchange_seconds", row.exchange},
              {"compute_seconds", row.compute}};
  for (const Together& together : row.policies) {
    Json policy = {{"progress", together.policy.name}};
    if (together.unavailable.empty())
      policy.update({{"computed_seconds", together.computed}, {"both_seconds", together.both}});
    else
      policy["reason"] = together.unavailable;
    one["policies"].push_back(policy);
  }
  return one;
}

}  // namespace weft::net
