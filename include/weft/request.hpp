// A transform and its options in one text, the same in every language.
#pragma once

#include <string>
#include <weft/export.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft {

/// A transform and its options, as a plan takes them.
struct WEFT_API Request {
  Transform transform;  ///< what to compute
  Options options;      ///< how

  /// Parses "shape=64x64x64 kind=r2c norm=ortho exchange=auto grid=2x2": the settings of
  /// Transform::parse and of Options::parse in any order, separated by spaces, or by commas and
  /// spaces. An Error names the first setting that is wrong and the valid ones.
  static Request parse(const std::string& text);
};

}  // namespace weft
