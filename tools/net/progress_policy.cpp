// Policies as text.
#include "net/progress_policy.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <charconv>
#include <string_view>
#include <weft/error.hpp>

namespace weft::net {
namespace {

int provided_level() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided;
}

}  // namespace

std::string ProgressPolicy::unavailable() const {
  if (kind != Kind::thread || provided_level() == MPI_THREAD_MULTIPLE) return "";
  return fmt::format("a progress thread needs MPI_THREAD_MULTIPLE, and this MPI provides \"{}\"",
                     thread_level());
}

ProgressPolicy parse_policy(const std::string& text) {
  using Kind = ProgressPolicy::Kind;
  if (text == "none") return {text, Kind::none};
  if (text == "thread") return {text, Kind::thread};
  constexpr std::string_view poll = "poll:";
  if (text.starts_with(poll)) {
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [unit, status] = std::from_chars(text.data() + poll.size(), end, number);
    const std::string_view rest(unit, static_cast<std::size_t>(end - unit));
    if (status == std::errc{} && number > 0 && rest.empty())
      return {text, Kind::poll_count, static_cast<double>(number)};
    if (status == std::errc{} && number > 0 && rest == "us")
      return {text, Kind::poll_time, number * 1e-6};
  }
  throw Error(
      fmt::format("progress \"{}\": valid are none, poll:16 (times in each exchange), poll:50us "
                  "(of work between) and thread",
                  text));
}

std::string thread_level() {
  switch (provided_level()) {
    case MPI_THREAD_SINGLE:
      return "single";
    case MPI_THREAD_FUNNELED:
      return "funneled";
    case MPI_THREAD_SERIALIZED:
      return "serialized";
    default:
      return "multiple";
  }
}

}  // namespace weft::net
