// How a pass of two steps groups its planes; that its results are right is tested with whole plans.
#include <gtest/gtest.h>

#include "pass/pass.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

/// A pass along these axes, between arrays of the same order, on cores with a second-level cache of
/// that size.
std::unique_ptr<Pass> plane_pass(const Shape& shape, int threads,
                                 const std::vector<int>& axes = {2, 1}, int megabytes = 8) {
  PassParts parts;
  const Element complex;
  Computation& computation = parts.spec.computation;
  for (const int axis : axes) {
    Step& step = computation.steps.emplace_back();
    step.axis = axis;
    step.length = step.input_length = step.output_length = shape[axis];
  }
  computation.input = computation.middle = computation.output = complex;
  parts.spec.engine = &find_engine("weft");
  parts.spec.threads = threads;
  parts.cells = {{Box::whole(shape)}};
  const View view{{nullptr},
                  {{Box::whole(shape), 0, byte_strides(shape, {0, 1, 2}, complex.bytes())}}};
  parts.from = parts.to = {view};
  Caches caches;
  caches.level2 = static_cast<std::size_t>(megabytes) << 20;
  return make_pass(std::move(parts), caches);
}

/// A sixteenth of the cache holds 32 planes of 32 x 32, 8 of 64 x 64, and none of 256 x 256.
TEST(PlanePass, ThreadsHaveEquallyManyGroups) {
  expect_words(plane_pass({32, 32, 32}, 1)->describe(), {"planes 32x"});
  expect_words(plane_pass({32, 32, 32}, 2)->describe(), {"planes 16x"});
  expect_words(plane_pass({32, 32, 32}, 5)->describe(), {"planes 7x"});
  expect_words(plane_pass({64, 64, 64}, 2)->describe(), {"planes 8x"});
  expect_words(plane_pass({64, 64, 64}, 3)->describe(), {"planes 8x"});  // 3, 3 and 2 groups
  expect_words(plane_pass({72, 64, 64}, 2)->describe(), {"planes 8x"});
  expect_words(plane_pass({4, 256, 256}, 2)->describe(), {"planes 1x"});
  expect_words(plane_pass({1, 32, 32}, 2)->describe(), {"planes 1x"});
}

/// Neighbouring elements of the last axis fill vectors and cache lines. Half of the cache holds 8
/// planes of 64 x 64.
TEST(PlanePass, ThreadsDoNotCutVectors) {
  expect_words(plane_pass({64, 64, 16}, 1, {1, 0}, 1)->describe(), {"planes 1x1x8"});
  expect_words(plane_pass({64, 64, 16}, 8, {1, 0}, 1)->describe(), {"planes 1x1x8"});
  expect_words(plane_pass({16, 16, 64}, 2, {1, 0}, 1)->describe(), {"planes 1x1x32"});
  expect_words(plane_pass({16, 16, 20}, 2, {1, 0}, 1)->describe(), {"planes 1x1x16"});
}

}  // namespace
}  // namespace weft::test
