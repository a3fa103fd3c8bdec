// A sum costs as many operations as a line has elements, so only a few results are compared. Their
// places are random, so a library's error can hardly avoid all of them.
#include "backend/line_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace weft {
namespace {

using Complex = std::complex<double>;

template <class Real>
class LineCheck {
 public:
  LineCheck(DeviceBackend& backend, const LineTransform& lines, const LineBatch& batch,
            std::byte* input, std::byte* output)
      : backend_(backend), lines_(lines), batch_(batch), input_(input), output_(output) {}

  void run(unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<Real>> sent;
    std::vector<Index> tried{0};
    if (batch_.lines > 1) tried.push_back(batch_.lines - 1);
    for (const Index line : tried) {
      sent.push_back(random_line(random));
      copy(input_ + input_bytes() * line, sent.back().data(), sent.back().size());
      const std::vector<Real> poison(static_cast<std::size_t>(output_reals()), NAN);
      copy(output_ + output_bytes() * line, poison.data(), poison.size());
    }
    lines_.run(input_, output_);
    for (std::size_t number = 0; number < tried.size(); ++number) {
      std::vector<Real> found(static_cast<std::size_t>(output_reals()));
      copy(found.data(), output_ + output_bytes() * tried[number], found.size());
      compare(sent[number], found, random);
    }
  }

 private:
  bool is_r2c() const { return batch_.kind == LineKind::r2c; }
  bool is_c2r() const { return batch_.kind == LineKind::c2r; }
  Index half() const { return batch_.length / 2 + 1; }
  Index input_reals() const { return is_r2c() ? batch_.length : 2 * input_numbers(); }
  Index output_reals() const {
    return is_c2r() ? batch_.length : 2 * (is_r2c() ? half() : batch_.length);
  }
  Index input_numbers() const { return is_c2r() ? half() : batch_.length; }
  std::ptrdiff_t input_bytes() const { return input_reals() * Index{sizeof(Real)}; }
  std::ptrdiff_t output_bytes() const { return output_reals() * Index{sizeof(Real)}; }

  void copy(void* to, const void* from, std::size_t reals) {
    backend_.stream().copy(to, from, reals * sizeof(Real));
    backend_.stream().synchronize();
  }

  /// For c2r, a spectrum that real numbers have: its ends have no imaginary part.
  std::vector<Real> random_line(std::mt19937_64& random) const {
    std::uniform_real_distribution<Real> uniform(-1, 1);
    std::vector<Real> line(static_cast<std::size_t>(input_reals()));
    for (Real& number : line) number = uniform(random);
    if (!is_c2r()) return line;
    line[1] = 0;
    if (batch_.length % 2 == 0) line.back() = 0;
    return line;
  }

  /// One term of a sum: element j of the input, turned for place k of the output.
  Complex term(const std::vector<Real>& line, Index j, Index k) const {
    const double sign = is_c2r() || batch_.kind == LineKind::c2c_backward ? 1 : -1;
    const auto place = static_cast<std::size_t>(j);
    const Complex value =
        is_r2c() ? Complex(line[place]) : Complex(line[2 * place], line[2 * place + 1]);
    // j k may be larger than double holds exactly.
    const auto turn =
        static_cast<double>(static_cast<Index>(static_cast<__int128>(j) * k % batch_.length));
    const Complex turned = value * std::polar(1.0, sign * 2 * std::numbers::pi * turn /
                                                       static_cast<double>(batch_.length));
    // The other half of the spectrum is conjugate.
    const bool has_mirror = is_c2r() && j > 0 && 2 * j != batch_.length;
    return has_mirror ? Complex(2 * turned.real()) : turned;
  }

  /// Halves are summed apart, which keeps the rounding of long sums small.
  Complex sum(const std::vector<Real>& line, Index begin, Index end, Index k) const {
    if (end - begin > 64) {
      const Index middle = begin + (end - begin) / 2;
      return sum(line, begin, middle, k) + sum(line, middle, end, k);
    }
    Complex result = 0;
    for (Index j = begin; j < end; ++j) result += term(line, j, k);
    return result;
  }

  void compare(const std::vector<Real>& sent, const std::vector<Real>& found,
               std::mt19937_64& random) const {
    const Index places = is_r2c() ? half() : batch_.length;
    const double size = std::sqrt(static_cast<double>(batch_.length));  // of a result, about
    const double bound = 100 * std::numeric_limits<Real>::epsilon() * size *
                         std::max(1.0, std::log2(static_cast<double>(batch_.length)));
    for (Index sample = 0; sample < samples(); ++sample) {
      const Index k = std::uniform_int_distribution<Index>(0, places - 1)(random);
      const auto place = static_cast<std::size_t>(k);
      const Complex result =
          is_c2r() ? Complex(found[place]) : Complex(found[2 * place], found[2 * place + 1]);
      const double error = std::abs(result - sum(sent, 0, input_numbers(), k));
      if (!(error <= bound))
        throw Error(
            fmt::format("the device's FFT library transforms lines of {} elements incorrectly: "
                        "element {} is off by {:.1e}; device=cpu can compute them",
                        batch_.length, k, error));
    }
  }

  /// Fewer for long lines, so that a check takes less than a second.
  Index samples() const { return std::clamp<Index>((Index{1} << 22) / batch_.length, 1, 8); }

  DeviceBackend& backend_;
  const LineTransform& lines_;
  const LineBatch& batch_;
  std::byte* input_;
  std::byte* output_;
};

}  // namespace

void check_lines(DeviceBackend& backend, const LineTransform& lines, const LineBatch& batch,
                 std::byte* input, std::byte* output) {
  const auto run = [&](auto check) {
    for (const unsigned seed : {1U, 2U}) check.run(seed);
  };
  if (batch.precision == Precision::double_)
    run(LineCheck<double>(backend, lines, batch, input, output));
  else
    run(LineCheck<float>(backend, lines, batch, input, output));
}

}  // namespace weft
