// Fuzzes line kernels: any length, kind and number of lines, and lines that lie in pieces with gaps
// and without some elements. Results must be those of single contiguous lines to the last bit, and
// short ones right by definition; memory between elements stays as it was. Each piece has a block
// of memory that is just large enough, so that AddressSanitizer sees every address.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "require.hpp"
#include "truth/kernel_targets.hpp"
#include "truth/line_by_definition.hpp"

namespace weft::test {
namespace {

constexpr Index longest_sum = 64;
constexpr Index longest_line = 600;
constexpr Index most_lines = 40;
constexpr Index most_elements = 6000;  ///< so that an input takes milliseconds
constexpr Index most_pieces = 4;
constexpr Index gaps = 6;  ///< of 0 to 5 numbers
constexpr std::size_t alignment = 64;

/// The choices that an input makes: its bytes, and then those of a generator that they seed, so
/// that short inputs choose everything, too.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {
    std::seed_seq seed(next_, end_);
    random_.seed(seed);
  }

  Index below(Index count) {
    Index value = byte();
    if (count > 256) value += 256 * byte();
    return value % count;
  }
  bool flag() { return below(2) == 1; }

 private:
  Index byte() { return next_ == end_ ? static_cast<Index>(random_() >> 8 & 255) : *next_++; }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::minstd_rand random_;
};

/// Memory of exactly that size, aligned to a cache line.
class Block {
 public:
  explicit Block(std::size_t size)
      : size_(size),
        data_(static_cast<std::byte*>(::operator new(size, std::align_val_t(alignment)))) {}
  std::byte* data() const { return data_.get(); }
  std::vector<std::byte> image() const { return {data(), data() + size_}; }

 private:
  struct Delete {
    void operator()(std::byte* data) const { ::operator delete(data, std::align_val_t(alignment)); }
  };
  std::size_t size_;
  std::unique_ptr<std::byte, Delete> data_;
};

/// The bytes of the blocks of a placement.
using Image = std::vector<std::vector<std::byte>>;

/// Elements of lines in up to four pieces, each of them with strides and a block of its own.
class Placement {
 public:
  Placement(Choices& choices, Index length, Index lines, Index element_bytes, Index number_bytes)
      : lines_(lines), element_bytes_(element_bytes), unit_(number_bytes) {
    are_neighbours_ = choices.flag();
    is_aligned_ = are_neighbours_ && choices.flag();
    line_bytes_ = element_bytes + (is_aligned_ ? 0 : choices.below(gaps) / 3 * number_bytes);
    const Index pieces = 1 + choices.below(most_pieces);
    std::vector<Index> counts(static_cast<std::size_t>(pieces), length / pieces);
    counts.front() += length % pieces;
    std::vector<Index> strides;
    for (const Index count : counts) strides.push_back(stride(choices, count));
    for (std::size_t piece = 0; piece < counts.size(); ++piece)
      add_piece(choices, counts[piece], strides[piece]);
    is_complete_ = !choices.flag();
    if (!is_complete_) drop_some(choices);
  }

  LineRows rows(Index ahead) const {
    LineRows rows{.rows = rows_.data(),
                  .line_bytes = line_bytes_,
                  .is_complete = is_complete_,
                  .is_contiguous = is_complete_ && are_contiguous(),
                  .is_streamed = is_aligned_ && is_complete_};
    if (are_neighbours_) rows.ahead = ahead;
    return rows;
  }
  Index element_bytes() const { return element_bytes_; }
  Image image() const {
    Image image;
    for (const Block& block : blocks_) image.push_back(block.image());
    return image;
  }
  void restore(const Image& image) const {
    for (std::size_t i = 0; i < image.size(); ++i)
      std::memcpy(blocks_[i].data(), image[i].data(), image[i].size());
  }
  /// An element in an image; null if it has no row.
  template <class SomeImage>
  auto* in(SomeImage& image, Index line, Index j) const {
    const auto element = static_cast<std::size_t>(j);
    const std::size_t piece = piece_of_[element];
    auto* const first = image[piece].data();
    return rows_[element] == nullptr
               ? nullptr
               : first + (rows_[element] - blocks_[piece].data()) + line * line_bytes_;
  }

 private:
  /// Of a piece; where its lines are contiguous, they come as far apart as the longest needs.
  Index stride(Choices& choices, Index count) {
    const Index gap = choices.below(gaps) / 2 * unit_;
    if (!are_neighbours_) {
      line_bytes_ = std::max(line_bytes_, count * (element_bytes_ + gap));
      return element_bytes_ + gap;
    }
    const Index packed = lines_ * line_bytes_ + gap;
    constexpr auto line = static_cast<Index>(alignment);
    return is_aligned_ ? (packed + line - 1) / line * line : packed;
  }
  bool are_contiguous() const {
    for (std::size_t j = 1; j < rows_.size(); ++j)
      if (rows_[j] != rows_[j - 1] + element_bytes_) return false;
    return true;
  }
  void add_piece(Choices& choices, Index count, Index stride) {
    if (count == 0) return;
    const Index first = is_aligned_ ? 0 : choices.below(gaps) * unit_;
    const bool is_reversed = choices.flag();
    const Index size = first + (count - 1) * stride + (lines_ - 1) * line_bytes_ + element_bytes_;
    blocks_.emplace_back(static_cast<std::size_t>(size));
    for (Index j = 0; j < count; ++j) {
      const Index place = first + (is_reversed ? count - 1 - j : j) * stride;
      rows_.push_back(blocks_.back().data() + place);
      piece_of_.push_back(blocks_.size() - 1);
    }
  }
  void drop_some(Choices& choices) {
    std::minstd_rand random(static_cast<unsigned>(1 + choices.below(256)));
    const auto part = static_cast<unsigned>(1 + choices.below(9));
    for (std::byte*& row : rows_)
      if (random() % part == 0) row = nullptr;
  }

  Index lines_, element_bytes_, unit_;
  bool are_neighbours_, is_aligned_;
  bool is_complete_ = true;
  Index line_bytes_;
  std::vector<Block> blocks_;
  std::vector<std::byte*> rows_;
  std::vector<std::size_t> piece_of_;
};

/// The transform of an input, and its lines.
struct Request {
  LineKind kind;
  Index length, lines;
  int components;
  bool are_contiguous;
  double factor;
  unsigned seed;

  explicit Request(Choices& choices)
      : kind(static_cast<LineKind>(choices.below(12))),
        length(1 + choices.below(choices.flag() ? longest_line : longest_sum)),
        lines(1 + choices.below(std::min(most_lines, most_elements / length))),
        components(is_trigonometric(kind) && choices.flag() ? 2 : 1),
        are_contiguous(choices.flag()),
        factor(choices.flag() ? 1 : -0.3),
        seed(static_cast<unsigned>(choices.below(256))) {}

  bool reads_real() const {
    return kind == LineKind::r2c || (is_trigonometric(kind) && components == 1);
  }
  bool writes_real() const {
    return kind == LineKind::c2r || (is_trigonometric(kind) && components == 1);
  }
  Index elements_in() const { return kind == LineKind::c2r ? length / 2 + 1 : length; }
  Index elements_out() const { return kind == LineKind::r2c ? length / 2 + 1 : length; }
  std::string text(const std::string& precision) const {
    return to_string(kind) + " of " + std::to_string(length) + ", " + std::to_string(lines) +
           " lines, " + std::to_string(components) + " components, " + precision +
           (are_contiguous ? ", contiguous" : "");
  }
};

template <class Real>
class Check {
 public:
  Check(const Request& request, Choices& choices)
      : request_(request),
        text_(request.text(sizeof(Real) == 8 ? "double" : "float")),
        kernel_(make_line_kernel(request.kind,
                                 sizeof(Real) == 8 ? Precision::double_ : Precision::single_,
                                 request.length, request.components, request.are_contiguous)),
        is_in_place_(choices.flag() && request.reads_real() == request.writes_real() &&
                     request.elements_in() == request.elements_out()),
        ahead_(choices.flag() ? 4096 : 0),
        source_(choices, request.elements_in(), request.lines, bytes(request.reads_real()),
                sizeof(Real)),
        target_(choices, request.elements_out(), request.lines, bytes(request.writes_real()),
                sizeof(Real)) {}

  void run() const {
    const Placement& target = is_in_place_ ? source_ : target_;
    const Image before = random_image(source_);
    Image expected = is_in_place_ ? before : random_image(target_);
    source_.restore(before);
    target.restore(expected);
    const Block scratch(kernel_->scratch_bytes(1));
    for (Index line = 0; line < request_.lines; ++line) {
      const std::vector<Real> single = transformed(numbers(before, line), scratch, line == 0);
      for (Index k = 0; k < request_.elements_out(); ++k)
        if (std::byte* const place = target.in(expected, line, k))
          std::memcpy(place, single.data() + k * numbers_of(target),
                      static_cast<std::size_t>(target.element_bytes()));
    }
    const Block scratch_of_all(kernel_->scratch_bytes(request_.lines));
    kernel_->run(source_.rows(ahead_), target.rows(0), request_.lines, request_.factor,
                 scratch_of_all.data());
    require(target.image() == expected, "results are those of single lines, and gaps stay", text_);
    require(is_in_place_ || source_.image() == before, "the input stays as it was", text_);
  }

 private:
  static Index bytes(bool is_real) { return (is_real ? 1 : 2) * static_cast<Index>(sizeof(Real)); }
  static Index numbers_of(const Placement& placement) {
    return placement.element_bytes() / static_cast<Index>(sizeof(Real));
  }

  Image random_image(const Placement& placement) const {
    std::minstd_rand random(request_.seed + 1);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    Image image = placement.image();
    for (std::vector<std::byte>& block : image)
      for (std::size_t at = 0; at + sizeof(Real) <= block.size(); at += sizeof(Real)) {
        const Real number = uniform(random);
        std::memcpy(block.data() + at, &number, sizeof(Real));
      }
    return image;
  }
  /// A line's elements, one after another; zeros for those without a row.
  std::vector<Real> numbers(const Image& image, Index line) const {
    const Index count = numbers_of(source_);
    std::vector<Real> all(static_cast<std::size_t>(request_.elements_in() * count));
    for (Index j = 0; j < request_.elements_in(); ++j)
      if (const std::byte* const place = source_.in(image, line, j))
        std::memcpy(all.data() + j * count, place,
                    static_cast<std::size_t>(source_.element_bytes()));
    return all;
  }

  /// One line, contiguous on both sides.
  std::vector<Real> transformed(std::vector<Real> line, const Block& scratch,
                                bool is_compared) const {
    const auto rows = [](std::vector<Real>& numbers, Index elements) {
      const auto step = static_cast<Index>(numbers.size()) / elements;
      std::vector<std::byte*> all;
      for (Index j = 0; j < elements; ++j)
        all.push_back(reinterpret_cast<std::byte*>(numbers.data() + j * step));
      return all;
    };
    const Index out = numbers_of(target_);
    std::vector<Real> result(static_cast<std::size_t>(request_.elements_out() * out));
    const std::vector<std::byte*> from = rows(line, request_.elements_in());
    const std::vector<std::byte*> to = rows(result, request_.elements_out());
    kernel_->run(
        {.rows = from.data(), .line_bytes = source_.element_bytes(), .is_contiguous = true},
        {.rows = to.data(), .line_bytes = target_.element_bytes(), .is_contiguous = true}, 1,
        request_.factor, scratch.data());
    if (is_compared && request_.length <= longest_sum) compare(line, result);
    return result;
  }

  void compare(const std::vector<Real>& line, const std::vector<Real>& result) const {
    const auto expected =
        line_by_definition(request_.kind, elements(line, numbers_of(source_)), request_.length);
    const auto found = elements(result, numbers_of(target_));
    long double difference = 0, norm = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto wanted = expected[k] * static_cast<long double>(request_.factor);
      difference += std::norm(std::complex<long double>(found[k]) - wanted);
      norm += std::norm(wanted);
    }
    for (const Real x : line) norm += static_cast<long double>(x) * x;  // where results cancel
    const auto n = static_cast<double>(request_.length);
    const double bound =
        3 * std::numeric_limits<Real>::epsilon() * std::sqrt(std::max(1.0, std::log2(n)));
    require(std::sqrt(difference) <= bound * std::sqrt(norm), "a line is right by definition",
            text_);
  }
  static std::vector<std::complex<double>> elements(const std::vector<Real>& numbers, Index step) {
    std::vector<std::complex<double>> all;
    for (std::size_t i = 0; i < numbers.size(); i += static_cast<std::size_t>(step))
      all.push_back({numbers[i], step == 2 ? numbers[i + 1] : 0});
    return all;
  }

  Request request_;
  std::string text_;
  std::unique_ptr<LineKernel> kernel_;
  bool is_in_place_;
  Index ahead_;
  Placement source_, target_;
};

void check(Choices choices) {
  static const std::vector<std::int64_t> targets = kernel_targets();
  const OnlyTarget target(
      targets[static_cast<std::size_t>(choices.below(static_cast<Index>(targets.size())))]);
  const bool is_double = choices.flag();
  const Request request(choices);
  if (request.kind == LineKind::dct1 && request.length == 1) return;  // has no definition
  if (is_double)
    Check<double>(request, choices).run();
  else
    Check<float>(request, choices).run();
}

}  // namespace
}  // namespace weft::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::test::check({data, size});
  return 0;
}
