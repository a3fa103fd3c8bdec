// Error texts for unknown names: suggest the name that was probably meant, or list all valid names.
#pragma once

#include <iterator>
#include <string>
#include <vector>

namespace weft {

/// "did you mean `shared`?" if exactly one of the names is nearest, and near enough; else "". Near
/// names have a few letters exchanged, missing, added, or of the other case.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& names);

/// The same, but "valid are a, b, c" where no name is near.
std::string valid_instead_of(const std::string& name, const std::vector<std::string>& names,
                             const std::string& introduction = "valid are");

template <class Names>
std::string valid_instead_of(const std::string& name, const Names& names) {
  return valid_instead_of(name, std::vector<std::string>(std::begin(names), std::end(names)));
}

}  // namespace weft
