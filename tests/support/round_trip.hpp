// A plan that must work: forward and backward bring a field back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <weft/plan.hpp>

namespace weft::test {

/// A number on the unit circle, the same on every rank.
inline std::complex<double> wavy(const Point& at) {
  double phase = 1;
  for (const Index index : at) phase = 1.7 * phase + static_cast<double>(index % 11);
  return std::polar(1.0, phase);
}

/// With the arrays of the caller, and a field of any size about 1.
template <class Value>
void expect_round_trip(Plan& plan, Array<std::complex<double>> in, Array<std::complex<double>> out,
                       const Value& value) {
  in.fill(value);
  plan.forward(in, out);
  in.fill([](const Point&) { return std::complex<double>(NAN, NAN); });
  plan.backward(out, in);
  in.for_each([&](const Point& at, const std::complex<double>& element) {
    const std::complex<double> expected = value(at);
    ASSERT_LE(std::abs(element - expected), 1e-13 * std::max(1.0, std::abs(expected)));
  });
}

/// With the plan's own arrays.
inline void expect_works(Plan& plan) {
  using Complex = std::complex<double>;
  expect_round_trip(plan, plan.input<Complex>(), plan.output<Complex>(), wavy);
}

}  // namespace weft::test
