// Formats text for people: figures with their units, and tables with columns as wide as needed.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::command {

/// "64 B", "4 KiB", "1.5 MiB"
std::string size_text(double bytes);
/// "0.52 us", "31.42 ms"
std::string seconds_text(double seconds);
/// "5.312 GB/s", of 10^9 bytes; "0.83 MB/s"
std::string rate_text(double bytes_per_second);
/// "57 %"
std::string share_text(double share);
/// "1 rank", "2 ranks"; `several` where it is not `one` with an s
std::string counted(std::size_t count, const std::string& one, const std::string& several = "");

/// Text that a file holds, fit for a terminal: its first `most` characters, with ? for control
/// characters and for characters outside ASCII, without blanks at the end.
std::string printable(std::string_view text, std::size_t most = 120);
/// A message of any length and language (it may name files), with ? for control characters.
std::string without_controls(std::string text);

/// The parts between commas, without the blanks around them.
std::vector<std::string> list_of(const std::string& text);

/// The whole text as a number; nothing if it is not a number.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, number);
  return status == std::errc{} && after == end ? std::optional(number) : std::nullopt;
}

class Table {
 public:
  /// More lines of heads may follow, as rows.
  explicit Table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Its lines, indented by two. For each column: l aligns it left, r right; columns without a
  /// letter are aligned right.
  std::string text(std::string_view leaning) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::command
