// Compares the elements of the layout only: gaps hold what they like.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "report.hpp"

namespace weft::fftw {
namespace {

std::shared_ptr<Real> make_buffer(Size numbers) {
  constexpr std::size_t alignment = 64;  // of any SIMD register
  const auto bytes = static_cast<std::size_t>(numbers) * sizeof(Real);
  void* const memory =
      std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return {static_cast<Real*>(memory), [](Real* numbers_there) { std::free(numbers_there); }};
}

/// Real numbers per element.
Size numbers_of(ElementType type) { return type.real ? 1 : 2; }

/// Visits each element of the box: its offset in elements.
template <class Visit>
void for_each_offset(const Shape& extents, const PerAxis<Index>& strides, int axis, Index offset,
                     const Visit& visit) {
  if (axis == extents.size()) return visit(offset);
  for (Index i = 0; i < extents[axis]; ++i)
    for_each_offset(extents, strides, axis + 1, offset + i * strides[axis], visit);
}

}  // namespace

Reference::Reference(const Translation& translation, bool in_place, MPI_Comm communicator)
    : translation_(translation), in_place_(in_place) {
  MPI_Comm_rank(communicator, &rank_);
  // What local_size says on any rank: FFTW-MPI 3.3.10 writes beyond it on those without data
  // (record 0039).
  std::int64_t most = translation.allocation;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, communicator);
  input_ = make_buffer(most);
  output_ = make_buffer(in_place ? 1 : most);
}

void Reference::compute(const void* in) {
  const Index elements = translation_.input.allocated(rank_);
  const auto bytes =
      static_cast<std::size_t>(elements * numbers_of(translation_.input_type)) * sizeof(Real);
  if (bytes > 0) std::memcpy(input_.get(), in, bytes);
  run_();
}

void Reference::compare(const void* out, const std::string& name, const Plan& weft_plan) {
  const Size numbers = numbers_of(translation_.output_type);
  const Real* const expected = result();
  const Real* const found = static_cast<const Real*>(out);
  double sums[2] = {0, 0};  // squares of FFTW's result, and of the difference
  for_each_offset(translation_.output.box(rank_).extents(), translation_.output.strides(rank_), 0,
                  0, [&](Index offset) {
                    for (Index part = numbers * offset; part < numbers * (offset + 1); ++part) {
                      const double value = expected[part];
                      sums[0] += value * value;
                      sums[1] += (found[part] - value) * (found[part] - value);
                    }
                  });
  weft_plan.sum_over_ranks(sums);
  if (!std::isfinite(sums[0])) return;  // not FFTW's either
  const double size = std::max(2.0, translation_.transform.logical_size());
  const double limit = 20 * std::numeric_limits<Real>::epsilon() * std::sqrt(std::log2(size));
  if (sums[1] <= limit * limit * sums[0]) return;
  const double difference = std::sqrt(sums[1] / sums[0]);
  end_job("WEFT_FFTW=check: Weft's result of '" + name + "' differs from FFTW's by " +
          std::to_string(difference / limit) + " times the rounding error allowed (" +
          std::to_string(limit) + ", relative)");
}

}  // namespace weft::fftw
