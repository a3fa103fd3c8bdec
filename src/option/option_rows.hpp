// One row for each option. Code that concerns every option loops over the rows: text, checks, the
// keys of wisdom, the variations of a search.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include <weft/options.hpp>

namespace weft {

enum class OptionRole {
  plan,    ///< set by the caller; a part of the key of wisdom
  layout,  ///< like `plan`, but set by a search if the caller leaves the layout open
  tuned,   ///< set by a search if the caller leaves it at its default
  watch,   ///< set by the caller: search time and error handling, which do not change the plan
};

struct OptionRow {
  std::string name;
  OptionRole role;
  std::function<std::string(const Options&)> print;
  /// Throws an Error that lists the valid values.
  std::function<void(Options&, const std::string&)> parse;
  /// For a tuned option: values that a search tries, with several chunks only if `of_chunks`.
  std::vector<std::string> tried = {};
  bool of_chunks = false;

  bool is_default(const Options& options) const { return print(options) == print(Options()); }
  void copy(const Options& from, Options& to) const { parse(to, print(from)); }
};

/// In the order in which to_string(Options) prints them.
const std::vector<OptionRow>& option_rows();

/// Throws an Error unless every option could be parsed from its text.
void check_options(const Options& options);

}  // namespace weft
