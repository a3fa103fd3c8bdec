// The matrix as slabs of rows, and as slabs of columns with those contiguous.
#include "exchange/weft_transposer.hpp"

namespace weft::bench {
namespace {

Plan plan_of(const Matrix& matrix, const Options& options) {
  const Shape shape{matrix.side, matrix.side};
  const Transform transform(shape, std::vector<Kind>(2, Kind::none));
  return Plan(matrix.communicator, transform, Layout::slabs(shape, matrix.ranks, 0),
              Layout::slabs(shape, matrix.ranks, 1).ordered({1, 0}), options);
}

}  // namespace

WeftTransposer::WeftTransposer(const Matrix& matrix, const Options& options)
    : matrix_(matrix), plan_(plan_of(matrix, options)) {}

}  // namespace weft::bench
