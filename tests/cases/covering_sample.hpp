// A sample of the product of cases, exchanges and engines, where running all of it takes too long.
#pragma once

#include <vector>

#include "cases/cases.hpp"

namespace weft::test {

/// The cases to run from a list of cases whose options name an exchange and an engine: all of them,
/// or, if the environment variable WEFT_TEST_CASES is a number, a covering sample and a part of the
/// others that differs from number to number.
///
/// In a covering sample every two values that occur together in some case of the list do so in a
/// case of the sample (D. M. Cohen et al., The AETG system: an approach to testing based on
/// combinatorial design, IEEE Trans. Softw. Eng. 23 (1997) 437-444). Values are the settings of the
/// options, the family that the case's name tells or its two layouts, the kinds, memories,
/// precision, scale, and whether modes are kept or inside an ellipse.
std::vector<Case> sample_of(const std::vector<Case>& all);

}  // namespace weft::test
