// Drawn by a thread that sleeps, not by `advance`: the work is never held up by a slow terminal,
// and a call that takes a minute is seen to be at it.
#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "ranks.hpp"

namespace weft::command {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 2s;
constexpr auto redraw = 100ms;
constexpr int width = 30;
constexpr std::string_view wipe = "\r\x1b[K";

void show(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// A block that wanders to and fro: all that can be said where the end is unknown.
std::string wandering_bar(double seconds) {
  constexpr int block = 6;
  constexpr int way = width - block;
  const int step = static_cast<int>(seconds * 10) % (2 * way);
  std::string bar(width, ' ');
  bar.replace(step < way ? step : 2 * way - step, block, block, '#');
  return bar;
}

std::string clock(double seconds) {
  const int whole = static_cast<int>(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

bool on_terminal() {
  if (const char* wish = std::getenv("WEFT_PROGRESS")) return std::string_view(wish) != "0";
  return isatty(STDERR_FILENO) == 1;
}

}  // namespace

Progress::Progress(std::string label, std::int64_t total, MPI_Comm communicator)
    : label_(std::move(label)), total_(total) {
  if (rank_in(communicator) == 0 && on_terminal())
    artist_ = std::jthread([this](const std::stop_token& stop) { draw_until(stop); });
}

void Progress::draw_until(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  const auto stopped_within = [&](std::chrono::milliseconds time) {
    return wake.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
  };
  if (stopped_within(patience)) return;
  do {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    show(line(elapsed.count()));
  } while (!stopped_within(redraw));
  show(wipe);
}

std::string Progress::line(double seconds) const {
  if (total_ <= 0)
    return fmt::format("{}{} [{}] {}", wipe, label_, wandering_bar(seconds), clock(seconds));
  const double share =
      std::min(1.0, static_cast<double>(done_.load(std::memory_order_relaxed)) / total_);
  const auto filled = static_cast<std::size_t>(share * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, ' ');
  const std::string left =
      share > 0 ? fmt::format(", about {} left", clock(seconds * (1 - share) / share)) : "";
  return fmt::format("{}{} [{}] {:3.0f} %, {}{}", wipe, label_, bar, 100 * share, clock(seconds),
                     left);
}

}  // namespace weft::command
