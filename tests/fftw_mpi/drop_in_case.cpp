// Random cases within what the drop-in computes itself; sizes by FFTW's manual, not by its code.
#include "drop_in_case.hpp"

#include <algorithm>

namespace weft::test {
namespace {

std::ptrdiff_t product(const std::vector<std::ptrdiff_t>& lengths) {
  std::ptrdiff_t result = 1;
  for (const std::ptrdiff_t length : lengths) result *= length;
  return result;
}

int draw(std::mt19937& generator, int lowest, int highest) {
  return std::uniform_int_distribution<int>(lowest, highest)(generator);
}

FFTW(complex) * complex_numbers(Real* reals) { return reinterpret_cast<FFTW(complex)*>(reals); }

}  // namespace

std::ptrdiff_t End::size() const { return product(shape) * reals; }

std::ptrdiff_t End::rows_before(int ranks, int rank) const {
  const std::ptrdiff_t length = shape[cut_axis];
  const std::ptrdiff_t step = block == 0 ? (length + ranks - 1) / ranks : block;
  return std::min(length, step * rank);
}

std::ptrdiff_t End::rows(int ranks, int rank) const {
  return rows_before(ranks, rank + 1) - rows_before(ranks, rank);
}

std::vector<End::Place> End::places(int ranks, int rank) const {
  const std::size_t cut = cut_axis;
  const std::ptrdiff_t first = rows_before(ranks, rank);
  const std::ptrdiff_t last = rows_before(ranks, rank + 1);
  std::vector<Place> result;
  const std::ptrdiff_t row = shape.back();
  const std::ptrdiff_t padded_row = has_padded_rows ? 2 * (row / 2 + 1) : row;
  for (std::ptrdiff_t global = 0; global < size(); ++global) {
    std::vector<std::ptrdiff_t> point(shape.size());
    std::ptrdiff_t rest = global / reals;
    for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      point[axis] = rest % shape[axis];
    if (point[cut] < first || point[cut] >= last) continue;
    std::vector<std::ptrdiff_t> extents = shape;
    extents.back() = padded_row;
    point[cut] -= first;
    extents[cut] = last - first;
    if (is_transposed) std::swap(point[0], point[1]), std::swap(extents[0], extents[1]);
    std::ptrdiff_t local = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      local = local * extents[axis] + point[axis];
    result.push_back({global, local * reals + global % reals});
  }
  return result;
}

std::ptrdiff_t End::local_size(int ranks, int rank) const {
  std::ptrdiff_t most = 0;
  for (const Place& place : places(ranks, rank)) most = std::max(most, place.local + 1);
  return most;
}

DropInCase DropInCase::random(std::mt19937& generator, int ranks) {
  DropInCase drawn;
  drawn.asked = static_cast<Asked>(draw(generator, 0, 4));
  drawn.sign = draw(generator, 0, 1) ? FFTW_FORWARD : FFTW_BACKWARD;
  const int axes = drawn.asked == Asked::transpose ? 2 : draw(generator, 2, 4);
  for (int axis = 0; axis < axes; ++axis) drawn.shape.push_back(draw(generator, 1, 14 - 2 * axes));
  for (int axis = 0; axis < axes; ++axis) {
    const int kind = draw(generator, FFTW_REDFT00, FFTW_RODFT11);
    const bool is_valid = kind != FFTW_REDFT00 || drawn.shape[axis] > 1;
    drawn.kinds.push_back(is_valid ? static_cast<FFTW(r2r_kind)>(kind) : FFTW_REDFT10);
  }
  drawn.howmany = std::max(1, draw(generator, -2, 3));
  drawn.in_place = draw(generator, 0, 1);
  if (draw(generator, 0, 2) == 0) drawn.flags = FFTW_MEASURE;
  if (drawn.asked == Asked::transpose || (drawn.shape[0] > 1 && drawn.shape[1] > 1)) {
    const bool keeps_rows_in = axes > 2 || drawn.asked != Asked::r2c;
    const bool keeps_rows_out = axes > 2 || drawn.asked != Asked::c2r;
    if (keeps_rows_in && draw(generator, 0, 1)) drawn.flags |= FFTW_MPI_TRANSPOSED_IN;
    if (keeps_rows_out && draw(generator, 0, 1)) drawn.flags |= FFTW_MPI_TRANSPOSED_OUT;
  }
  const auto block_of = [&](const End& end) -> std::ptrdiff_t {
    const int length = static_cast<int>(end.shape[end.cut_axis]);
    return draw(generator, 0, 2) ? 0 : draw(generator, (length + ranks - 1) / ranks, length + 2);
  };
  drawn.input_block = block_of(drawn.input());
  drawn.output_block = block_of(drawn.output());
  if (drawn.input().cut_axis == drawn.output().cut_axis)
    drawn.output_block = drawn.input_block;
  else if (drawn.asked == Asked::c2r)
    drawn.input_block = drawn.output_block = 0;
  return drawn;
}

std::vector<std::ptrdiff_t> DropInCase::complex_shape() const {
  std::vector<std::ptrdiff_t> result = shape;
  if (asked == Asked::r2c || asked == Asked::c2r) result.back() = shape.back() / 2 + 1;
  return result;
}

int DropInCase::reals_per_element() const {
  return asked == Asked::r2r || asked == Asked::transpose ? 1 : 2;
}

End DropInCase::input() const {
  const bool is_real = asked == Asked::r2c || reals_per_element() == 1;
  const bool is_transposed = (flags & FFTW_MPI_TRANSPOSED_IN) != 0;
  return {is_real ? shape : complex_shape(),
          input_block,
          is_transposed && asked != Asked::transpose ? 1U : 0U,
          is_transposed,
          asked == Asked::r2c,
          static_cast<int>(howmany) * (is_real ? 1 : 2)};
}

End DropInCase::output() const {
  const bool is_real = asked == Asked::c2r || reals_per_element() == 1;
  const bool has_flag = (flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
  const bool is_transpose = asked == Asked::transpose;
  return {is_real ? shape : complex_shape(),
          output_block,
          has_flag || is_transpose ? 1U : 0U,
          has_flag != is_transpose,
          asked == Asked::c2r,
          static_cast<int>(howmany) * (is_real ? 1 : 2)};
}

std::vector<Real> DropInCase::random_input(std::mt19937& generator) const {
  std::uniform_real_distribution<Real> value(-1, 1);
  if (asked == Asked::c2r) {  // the spectrum of something real
    DropInCase back = *this;
    back.asked = Asked::r2c;
    return back.truth(back.random_input(generator));
  }
  std::vector<Real> result(static_cast<std::size_t>(input().size()));
  for (Real& number : result) number = value(generator);
  return result;
}

std::vector<Real> DropInCase::truth(std::vector<Real> in) const {
  if (asked == Asked::transpose) return in;
  std::vector<Real> out(static_cast<std::size_t>(output().size()));
  const std::vector<int> n(shape.begin(), shape.end());
  const int axes = static_cast<int>(n.size());
  const int many = static_cast<int>(howmany);
  auto* const c_in = complex_numbers(in.data());
  auto* const c_out = complex_numbers(out.data());
  std::vector<Real> kept = in;
  FFTW(plan) plan = nullptr;
  if (asked == Asked::c2c)
    plan = FFTW(plan_many_dft)(axes, n.data(), many, c_in, nullptr, many, 1, c_out, nullptr, many,
                               1, sign, FFTW_ESTIMATE);
  if (asked == Asked::r2c)
    plan = FFTW(plan_many_dft_r2c)(axes, n.data(), many, in.data(), nullptr, many, 1, c_out,
                                   nullptr, many, 1, FFTW_ESTIMATE);
  if (asked == Asked::c2r)
    plan = FFTW(plan_many_dft_c2r)(axes, n.data(), many, c_in, nullptr, many, 1, out.data(),
                                   nullptr, many, 1, FFTW_ESTIMATE);
  if (asked == Asked::r2r)
    plan = FFTW(plan_many_r2r)(axes, n.data(), many, in.data(), nullptr, many, 1, out.data(),
                               nullptr, many, 1, kinds.data(), FFTW_ESTIMATE);
  FFTW(execute)(plan);
  FFTW(destroy_plan)(plan);
  return out;
}

FFTW(plan) DropInCase::plan(Real* in, Real* out, MPI_Comm communicator) const {
  const int axes = static_cast<int>(shape.size());
  const std::ptrdiff_t* const n = shape.data();
  if (asked == Asked::c2c)
    return FFTW(mpi_plan_many_dft)(axes, n, howmany, input_block, output_block, complex_numbers(in),
                                   complex_numbers(out), communicator, sign, flags);
  if (asked == Asked::r2c)
    return FFTW(mpi_plan_many_dft_r2c)(axes, n, howmany, input_block, output_block, in,
                                       complex_numbers(out), communicator, flags);
  if (asked == Asked::c2r)
    return FFTW(mpi_plan_many_dft_c2r)(axes, n, howmany, input_block, output_block,
                                       complex_numbers(in), out, communicator, flags);
  if (asked == Asked::r2r)
    return FFTW(mpi_plan_many_r2r)(axes, n, howmany, input_block, output_block, in, out,
                                   communicator, kinds.data(), flags);
  return FFTW(mpi_plan_many_transpose)(n[0], n[1], howmany, input_block, output_block, in, out,
                                       communicator, flags);
}

std::string DropInCase::name() const {
  const char* const words[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};
  std::string text = words[static_cast<int>(asked)];
  for (const std::ptrdiff_t length : shape) text += " " + std::to_string(length);
  if (asked == Asked::c2c) text += " sign " + std::to_string(sign);
  if (asked == Asked::r2r)
    for (const auto kind : kinds) text += " kind " + std::to_string(kind);
  text += " howmany " + std::to_string(howmany) + " blocks " + std::to_string(input_block) + " " +
          std::to_string(output_block);
  if (flags & FFTW_MPI_TRANSPOSED_IN) text += " transposed in";
  if (flags & FFTW_MPI_TRANSPOSED_OUT) text += " transposed out";
  return text + (in_place ? " in place" : " out of place");
}

}  // namespace weft::test
