// One row for each option. Whatever concerns every option is a loop over the rows: text, checks,
// the keys of wisdom, what a search may vary.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include <weft/options.hpp>

namespace weft {

enum class OptionRole {
  plan,    ///< set by the caller; plans that differ in it are different plans to wisdom
  layout,  ///< the same, and set by a search where the caller leaves the layout open
  tuned,   ///< set by a search where the caller leaves it at its default
  watch,   ///< set by the caller; how long to search and what errors lead to: the plan is the same
};

struct OptionRow {
  std::string name;
  OptionRole role;
  std::function<std::string(const Options&)> print;
  /// Throws an Error that lists what is valid.
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
