// Tables for people: columns as wide as they must be, and figures with their units.
#pragma once

#include <string>
#include <vector>
#include <weft/box.hpp>

namespace weft::net {

/// "64 B", "4 KiB", "1.5 MiB"
std::string size_text(Index bytes);
/// "0.52 us", "31.4 ms"
std::string seconds_text(double seconds);
/// "5.31 GB/s", of 10^9 bytes; "0.83 MB/s"
std::string rate_text(double bytes_per_second);
/// "57 %"
std::string share_text(double share);

class Table {
 public:
  /// More lines of heads may follow, as rows.
  explicit Table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Its lines, indented by two; the first `names` columns lean left, figures lean right.
  std::string text(std::size_t names) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::net
