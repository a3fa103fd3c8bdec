// Passes whose lines the device's own library transforms compute what the host's passes do.
#include <gtest/gtest.h>

#include "backend/line_check.hpp"
#include "device/device_passes.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

TEST(LibraryPass, TakesLinesOfAnyLength) {
  Library library;
  for (const LineKind kind : {LineKind::c2c_forward, LineKind::c2c_backward})
    for (const int length : {20011, 32768}) {
      const OnePass pass({3, length}, 1, {0, 1}, {1, 0}, kind);
      EXPECT_TRUE(needs_library(pass.spec, library.backend->launcher().limits()));
      expect_as_on_host(pass, *pass.of_library(library), 6);
    }
  EXPECT_FALSE(needs_library(OnePass({3, 4096}, 1, {0, 1}, {0, 1}).spec,
                             library.backend->launcher().limits()));
}

TEST(LibraryPass, LongLinesOfReals) {
  for (const char* const lines :
       {"shape=2x40000 precision=double", "shape=2x40001 precision=float"})
    expect_as_on_host(std::string("kind=r2c ") + lines, 1, "producer_chunks=1");
}

/// A batch is small also where slices along one axis are large.
TEST(LibraryPass, CutsAlongSeveralAxes) {
  Library library{make_emulated_backend(EmulatedOrder::eager), 2000};
  const OnePass pass({8, 60, 3, 7}, 1, {0, 1, 2, 3}, {3, 1, 0, 2});
  const auto made = pass.of_library(library);
  // Two lines of 960 bytes fit: 8 by 7 parts, each of which has three lines.
  expect_words(made->describe(), {"112 batches"});
  expect_as_on_host(pass, *made, 8);
}

/// A pass that needs larger buffers does not disturb the work that another has on the stream.
TEST(LibraryPass, BuffersGrowBehindTheStream) {
  Library library{make_emulated_backend(EmulatedOrder::lazy)};
  const OnePass small({5, 60}, 1, {0, 1}, {0, 1}), large({5, 900}, 1, {0, 1}, {0, 1});
  const auto made = small.of_library(library);
  Reals input = small.array(), output = small.array();
  input.randomise(9);
  made->bind_source(input.data());
  made->bind_target(output.data());
  made->run(0, [] {});
  const auto other = large.of_library(library);
  library.backend->stream().synchronize();
  EXPECT_LE(relative_distance(output.values(), result(small, *small.on_host(), input)), 1e-15);
}

/// Buffers do not grow with the array: lines are transformed in batches.
TEST(LibraryPass, SeveralBatchesInPlace) {
  Library library;
  const OnePass pass({3, 4096, 150}, 1, {0, 1, 2}, {0, 1, 2});
  const auto made = pass.of_library(library);
  expect_words(made->describe(), {"2 batches"});
  EXPECT_LT(made->buffer_bytes(), std::size_t{34} << 20);
  expect_as_on_host_in_place(pass, *made, 7, 1e-15);
}

TEST(LibraryPass, HasNothingToDoWithoutLines) {
  Library library;
  const OnePass pass({0, 20011}, 1, {0, 1}, {0, 1});
  Reals none = pass.array();
  EXPECT_TRUE(result(pass, *pass.of_library(library), none).empty());
}

/// Weft's engine, until it has run often enough; then it does nothing, as libraries have.
class TiredLines : public LineTransform {
 public:
  TiredLines(const LineBatch& batch, int runs)
      : lines_(find_engine("weft").plan(batch)), left_(runs) {}
  void run(const void* input, void* output) const override {
    if (left_-- > 0) lines_->run(input, output);
  }

 private:
  std::unique_ptr<LineTransform> lines_;
  mutable int left_;
};

TEST(LibraryPass, LibrariesThatComputeNothingAreNoticed) {
  const auto backend = make_emulated_backend(EmulatedOrder::eager);
  for (const LineKind kind :
       {LineKind::c2c_forward, LineKind::c2c_backward, LineKind::r2c, LineKind::c2r})
    for (const Precision precision : {Precision::double_, Precision::single_})
      for (const Index length : {1, 2, 999, 1000}) {
        LineBatch batch;
        batch.kind = kind;
        batch.precision = precision;
        batch.length = length;
        batch.lines = 3;
        batch.input_distance = kind == LineKind::c2r ? length / 2 + 1 : length;
        batch.output_distance = kind == LineKind::r2c ? length / 2 + 1 : length;
        AlignedBuffer input(static_cast<std::size_t>(3 * 16 * (length + 1)));
        AlignedBuffer output(input.size());
        const auto check = [&](const LineBatch& asked, const LineTransform& lines) {
          return message_of(
                     [&] { check_lines(*backend, lines, asked, input.data(), output.data()); })
              .value_or("right");
        };
        const std::string wrong =
            "transforms lines of " + std::to_string(length) + " elements incorrectly";
        const auto sees = [](const std::string& text, const std::string& part) {
          return text.find(part) != std::string::npos;
        };
        EXPECT_EQ(check(batch, TiredLines(batch, 2)), "right");
        EXPECT_TRUE(sees(check(batch, TiredLines(batch, 0)), wrong));
        EXPECT_TRUE(sees(check(batch, TiredLines(batch, 1)), wrong)) << "the second run";
        if (length < 3) continue;
        // With the wrong sign, c2c is another transform.
        LineBatch other = batch;
        if (kind == LineKind::c2c_forward) other.kind = LineKind::c2c_backward;
        if (kind == LineKind::c2c_backward) other.kind = LineKind::c2c_forward;
        if (other.kind != kind) {
          EXPECT_TRUE(sees(check(batch, TiredLines(other, 2)), wrong));
        }
      }
}

}  // namespace
}  // namespace weft::test
