// Lines are transformed by the definition, once for all ranks of the process.
#include "separable_array.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace weft::simulation {
namespace {

std::vector<Number> random_line(Index length, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Number> line(static_cast<std::size_t>(length));
  for (Number& number : line) number = {uniform(generator), uniform(generator)};
  return line;
}

std::vector<Number> spectrum_of(const std::vector<Number>& line) {
  const std::size_t length = line.size();
  std::vector<Number> roots(length), spectrum(length);
  for (std::size_t k = 0; k < length; ++k)
    roots[k] = std::polar(
        1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
  for (std::size_t k = 0; k < length; ++k)
    for (std::size_t x = 0; x < length; ++x) spectrum[k] += line[x] * roots[k * x % length];
  return spectrum;
}

/// Calls visit(place, index) for the elements of a rank's box, last axis fastest.
template <class Visit>
void visit(const Layout& layout, int rank, const Visit& visit) {
  const Box box = layout.box(rank);
  if (box.empty()) return;
  const PerAxis<Index> strides = layout.strides(rank);
  for (Point point = box.lower;;) {
    Index place = 0;
    Point index;
    for (int axis = 0; axis < box.axes(); ++axis) {
      place += (point[axis] - box.lower[axis]) * strides[axis];
      index.push_back(layout.index_at(axis, point[axis]));
    }
    visit(place, index);
    int axis = box.axes() - 1;
    for (; axis >= 0 && ++point[axis] == box.upper[axis]; --axis) point[axis] = box.lower[axis];
    if (axis < 0) return;
  }
}

}  // namespace

SeparableArray::SeparableArray(const Shape& shape) {
  std::mt19937_64 generator(1);
  for (Product& product : products_)
    for (const Index length : shape) {
      product.lines.push_back(random_line(length, generator));
      product.spectra.push_back(spectrum_of(product.lines.back()));
    }
}

namespace {

template <class Lines>
Number product_at(const Lines& lines, const Point& point) {
  Number product = 1;
  for (int axis = 0; axis < point.size(); ++axis)
    product *= lines[static_cast<std::size_t>(axis)][static_cast<std::size_t>(point[axis])];
  return product;
}

}  // namespace

void SeparableArray::fill(const Layout& layout, int rank, Number* values) const {
  visit(layout, rank, [&](Index place, const Point& point) {
    values[place] = product_at(products_[0].lines, point) + product_at(products_[1].lines, point);
  });
}

SeparableArray::Squares SeparableArray::compare(const Layout& layout, int rank,
                                                const Number* spectrum) const {
  Squares squares;
  visit(layout, rank, [&](Index place, const Point& point) {
    const Number exact =
        product_at(products_[0].spectra, point) + product_at(products_[1].spectra, point);
    squares.error += std::norm(spectrum[place] - exact);
    squares.spectrum += std::norm(exact);
  });
  return squares;
}

}  // namespace weft::simulation
