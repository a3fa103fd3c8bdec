// Whole-array transforms axis by axis from the definitions, and random arrays to test them on.
#include "truth/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <mutex>
#include <numbers>

#include "truth/truth_lines.hpp"

namespace weft::test {
namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

/// exp(2 pi i numerator / denominator), the fraction reduced first so that large products stay
/// exact.
Exact root_of_unity(Index numerator, Index denominator) {
  const long double angle = 2 * pi * static_cast<long double>(numerator % denominator) /
                            static_cast<long double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

Exact matrix_entry(const AxisTransform& axis, Index k, Index j) {
  const Index n = axis.length;
  // Of whichever side it is: rows of analysis, columns of synthesis.
  const SpectralElement& element = axis.elements[axis.towards_physical ? j : k];
  if (axis.is_trigonometric()) {
    if (element.analysis.empty()) return 0;
    const Walls walls = axis.walls();
    (axis.towards_physical ? j : k) = element.row;
    const Exact wave =
        root_of_unity((2 * j + walls.point) * (2 * k + walls.wave), 4 * walls.period);
    return static_cast<long double>(walls.count_of_point(j)) *
           (walls.is_sine ? wave.imag() : wave.real());
  }
  Exact sum = 0;
  if (axis.towards_physical)
    for (const auto& [wavenumber, weight] : element.synthesis)
      sum += weight * root_of_unity(wavenumber * k, n);
  else
    for (const auto& [wavenumber, weight] : element.analysis)
      sum += weight * std::conj(root_of_unity(wavenumber * j, n));
  return sum;
}

class MatrixLine : public LineTruth {
 public:
  explicit MatrixLine(const AxisTransform& axis)
      : rows_(axis.output_length()), columns_(axis.input_length()) {
    for (Index k = 0; k < rows_; ++k)
      for (Index j = 0; j < columns_; ++j) entries_.push_back(matrix_entry(axis, k, j));
  }

  void apply(const Exact* input, Exact* output) override {
    const Exact* entry = entries_.data();
    for (Index k = 0; k < rows_; ++k) {
      // Spelt out, since std::complex's product looks for infinities at every step.
      long double real = 0, imaginary = 0;
      for (Index j = 0; j < columns_; ++j, ++entry) {
        real += entry->real() * input[j].real() - entry->imag() * input[j].imag();
        imaginary += entry->real() * input[j].imag() + entry->imag() * input[j].real();
      }
      output[k] = {real, imaginary};
    }
  }

 private:
  Index rows_, columns_;
  std::vector<Exact> entries_;
};

/// The factors before and after a line's transform that make norm="ortho" orthogonal in SciPy.
struct Factors {
  std::vector<long double> in, out;
};

Factors orthogonal_factors(const AxisTransform& axis, const Scale& scale) {
  Factors factors{std::vector<long double>(axis.input_length(), 1),
                  std::vector<long double>(axis.output_length(), 1)};
  if (scale.rule != Scale::Rule::ortho || !axis.is_trigonometric()) return factors;
  const Walls walls = axis.walls();
  const auto row = [&](bool is_spectral, Index i) {
    return is_spectral ? axis.elements[i].row : i;
  };
  for (Index j = 0; j < axis.input_length(); ++j)
    factors.in[j] = std::sqrt(2.0L / walls.count_of_point(row(axis.towards_physical, j)));
  for (Index k = 0; k < axis.output_length(); ++k)
    factors.out[k] = std::sqrt(walls.count_of_wave(row(!axis.towards_physical, k)) / 2.0L);
  return factors;
}

/// Replaces `array` by its transform along one axis.
void transform_axis(Global& array, int axis, const AxisTransform& along, const Factors& factors,
                    LineTruth& line) {
  Index outer = 1, inner = 1;
  for (int a = 0; a < array.shape.size(); ++a) (a < axis ? outer : inner) *= array.shape[a];
  inner /= array.shape[axis];
  const Index in_length = along.input_length(), out_length = along.output_length();
  std::vector<Exact> result(outer * out_length * inner), from(in_length), to(out_length);
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < inner; ++i) {
      for (Index j = 0; j < in_length; ++j)
        from[j] = array.values[(o * in_length + j) * inner + i] * factors.in[j];
      line.apply(from.data(), to.data());
      for (Index k = 0; k < out_length; ++k)
        result[(o * out_length + k) * inner + i] = to[k] * factors.out[k];
    }
  array.shape[axis] = out_length;
  array.values = std::move(result);
}

bool is_c2r(const Transform& transform) {
  return std::ranges::count(transform.kinds, Kind::c2r) > 0;
}

/// The factor by which the unscaled transforms there and back multiply a line.
long double logical_length(Kind kind, Index n) {
  if (kind == Kind::none) return 1;
  return static_cast<long double>(kind < Kind::dct1 ? n : walls_of(kind, n).period);
}

long double scale_factor(const Transform& transform, bool forward) {
  long double size = 1;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    size *= logical_length(transform.kinds[axis], transform.shape[axis]);
  const Scale& scale = transform.scale;
  const long double there = scale.rule == Scale::Rule::number    ? scale.factor
                            : scale.rule == Scale::Rule::forward ? 1 / size
                            : scale.rule == Scale::Rule::ortho   ? 1 / std::sqrt(size)
                                                                 : 1;
  return forward ? there : 1 / (there * size);
}

using MakeLine = std::unique_ptr<LineTruth> (*)(const AxisTransform&);

Global transformed(const Transform& transform, const Global& source, bool forward, MakeLine make) {
  const bool towards_physical = forward == is_c2r(transform);
  Global result = source;
  if (towards_physical) replace_dropped(transform, result, 0);
  if (!keeps_everything(transform)) make = matrix_line;
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    if (transform.kinds[axis] == Kind::none) continue;
    const AxisTransform along{transform.kinds[axis], transform.shape[axis], towards_physical,
                              spectral_elements(transform, axis)};
    transform_axis(result, axis, along, orthogonal_factors(along, transform.scale), *make(along));
  }
  if (!towards_physical) replace_dropped(transform, result, 0);
  const long double factor = scale_factor(transform, forward);
  const bool real = forward ? output_is_real(transform) : input_is_real(transform);
  for (Exact& value : result.values) value = real ? value.real() * factor : value * factor;
  return result;
}

/// Multiplications that the matrices would take: a tenth of a second for each 10^7.
bool matrices_are_slow(const Transform& transform) {
  long double work = 0;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] != Kind::none)
      work += static_cast<long double>(volume(transform.shape)) * transform.shape[axis];
  return work > 1e7L;
}

MakeLine quickest_line(const Transform& transform) {
  return matrices_are_slow(transform) && have_fftw() ? fftw_line : matrix_line;
}

void round_to(Precision precision, Global& array) {
  for (Exact& value : array.values)
    value = precision == Precision::single_ ? Exact(std::complex<float>(value))
                                            : Exact(std::complex<double>(value));
}

/// Stands in for dropped modes in a spectrum, where its value must not matter.
const Exact noise{1000, -300};

/// In [-1, 1), of 23 random bits, so that every precision holds it exactly.
long double random_number(std::uint64_t seed, std::uint64_t position) {
  const std::uint64_t bits = mixed(mixed(seed) + position) >> 40;
  return static_cast<long double>(bits) / (1 << 23) - 1;
}

Global random_array(const Shape& shape, bool real, std::uint64_t seed) {
  Global array{shape, std::vector<Exact>(volume(shape))};
  for (std::size_t i = 0; i < array.values.size(); ++i)
    array.values[i] = {random_number(seed, 2 * i), real ? 0 : random_number(seed, 2 * i + 1)};
  return array;
}

}  // namespace

const Exact& Global::at(const Point& point) const {
  Index offset = 0;
  for (int axis = 0; axis < shape.size(); ++axis) offset = offset * shape[axis] + point[axis];
  return values[offset];
}

Index AxisTransform::input_length() const {
  return towards_physical ? static_cast<Index>(elements.size()) : length;
}

Index AxisTransform::output_length() const {
  return towards_physical ? length : static_cast<Index>(elements.size());
}

Walls AxisTransform::walls() const {
  const Walls there = walls_of(kind, length);
  return towards_physical ? there.inverse() : there;
}

std::unique_ptr<LineTruth> matrix_line(const AxisTransform& axis) {
  return std::make_unique<MatrixLine>(axis);
}

long double half_complex_weight(Index mode, Index length) {
  return mode == 0 || 2 * mode == length ? 1 : 2;
}

Shape input_shape(const Transform& transform) {
  return is_c2r(transform) ? transform.spectral_shape() : transform.shape;
}

Shape output_shape(const Transform& transform) {
  return is_c2r(transform) ? transform.shape : transform.spectral_shape();
}

bool input_is_real(const Transform& transform) {
  const auto is_fourier = [](Kind kind) { return kind == Kind::c2c || kind == Kind::c2r; };
  const auto halves = [](Kind kind) { return kind == Kind::r2c || kind == Kind::r2c_packed; };
  return std::ranges::any_of(transform.kinds, halves) ||
         std::ranges::none_of(transform.kinds, is_fourier);
}

bool output_is_real(const Transform& transform) {
  const auto is_fourier = [](Kind kind) {
    return kind == Kind::c2c || kind == Kind::r2c || kind == Kind::r2c_packed;
  };
  return is_c2r(transform) || std::ranges::none_of(transform.kinds, is_fourier);
}

Global forward_truth(const Transform& transform, const Global& input) {
  return transformed(transform, input, true, quickest_line(transform));
}

Global backward_truth(const Transform& transform, const Global& output) {
  return transformed(transform, output, false, quickest_line(transform));
}

Global forward_by_matrices(const Transform& transform, const Global& input) {
  return transformed(transform, input, true, matrix_line);
}

std::unique_ptr<Global> forward_by_fftw(const Transform& transform, const Global& input) {
  if (!have_fftw()) return nullptr;
  return std::make_unique<Global>(transformed(transform, input, true, fftw_line));
}

Global random_input(const Transform& transform, std::uint64_t seed) {
  if (!is_c2r(transform)) return random_array(transform.shape, input_is_real(transform), seed);
  Transform other_way = transform;
  std::ranges::replace(other_way.kinds, Kind::c2r, Kind::r2c);
  Global spectrum = forward_truth(other_way, random_array(transform.shape, true, seed));
  round_to(transform.precision, spectrum);
  replace_dropped(transform, spectrum, noise);
  return spectrum;
}

namespace {

double norm_of(const Global& array) {
  long double sum = 0;
  for (const Exact& value : array.values) sum += std::norm(value);
  return static_cast<double>(std::sqrt(sum));
}

/// The transform with all modes.
Transform whole(Transform transform) {
  transform.modes.clear();
  transform.ellipse.clear();
  std::ranges::replace(transform.kinds, Kind::r2c_packed, Kind::r2c);
  return transform;
}

}  // namespace

std::shared_ptr<const TruthPair> truth_of(const Transform& transform, std::uint64_t seed) {
  // A case is run with every method and engine in turn, a few fields each: a short memory suffices.
  static std::mutex mutex;
  static std::list<std::pair<std::string, std::shared_ptr<const TruthPair>>> remembered;
  const std::string key = to_string(transform) + ", seed " + std::to_string(seed);
  const std::lock_guard lock(mutex);
  for (const auto& [name, pair] : remembered)
    if (name == key) return pair;
  auto pair = std::make_shared<TruthPair>();
  pair->input = random_input(transform, seed);
  pair->output = forward_truth(transform, pair->input);
  pair->output_with_noise = pair->output;
  if (!is_c2r(transform)) replace_dropped(transform, pair->output_with_noise, noise);
  pair->restored =
      keeps_everything(transform) ? pair->input : backward_truth(transform, pair->output);
  if (!keeps_everything(transform) && !is_c2r(transform))
    pair->amplification =
        norm_of(forward_truth(whole(transform), pair->input)) / norm_of(pair->output);
  remembered.emplace_front(key, pair);
  if (remembered.size() > 8) remembered.pop_back();
  return pair;
}

bool truth_is_out_of_reach(const Transform& transform) {
  return matrices_are_slow(transform) && !have_fftw();
}

double error_bound(const Transform& transform) {
  double size = 1;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] != Kind::none) size *= static_cast<double>(transform.shape[axis]);
  const double epsilon = transform.precision == Precision::single_
                             ? std::numeric_limits<float>::epsilon()
                             : std::numeric_limits<double>::epsilon();
  return 5 * epsilon * std::sqrt(std::max(1.0, std::log2(size)));
}

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace weft::test
