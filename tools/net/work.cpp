// Arithmetic that compilers vectorise but cannot remove; dgemm comes from a module, as do all
// libraries that only measurements need.
#include "net/work.hpp"

#include <algorithm>
#include <numeric>
#include <vector>
#include <weft/error.hpp>

#include "bench/modules.hpp"
#include "net/multiply.hpp"

namespace weft::net {
namespace {

class Arithmetic final : public Work {
 public:
  // Converges to the fixed point 1, without overflow or slow denormal numbers.
  void run(Index units) override {
    for (Index unit = 0; unit < units; ++unit)
      for (double& value : values_) value = value * 0.75 + 0.25;
  }
  double operations() const override { return 2.0 * static_cast<double>(values_.size()); }
  double result() const override { return std::accumulate(values_.begin(), values_.end(), 0.0); }

 private:
  std::vector<double> values_ = std::vector<double>(512, 2.0);
};

const bench::Module openblas{"openblas", "openblas", "OpenBLAS (libopenblas-dev)"};

class Products final : public Work {
 public:
  explicit Products(int rows) : rows_(rows), a_(elements()), b_(elements(), 1.0), c_(elements()) {
    multiply_ = reinterpret_cast<bench::Multiply*>(openblas.open("weft_bench_multiply"));
    std::iota(a_.begin(), a_.end(), 0.0);
  }
  void run(Index units) override {
    for (Index unit = 0; unit < units; ++unit) multiply_(rows_, a_.data(), b_.data(), c_.data());
  }
  double operations() const override { return 2.0 * rows_ * rows_ * rows_; }
  double result() const override { return std::accumulate(c_.begin(), c_.end(), 0.0); }

 private:
  std::size_t elements() const { return static_cast<std::size_t>(rows_) * rows_; }

  int rows_;
  std::vector<double> a_, b_, c_;
  bench::Multiply* multiply_ = nullptr;
};

}  // namespace

std::unique_ptr<Work> arithmetic() { return std::make_unique<Arithmetic>(); }

std::unique_ptr<Work> matrix_products(int rows) {
  if (!openblas.is_built())
    throw Error(
        "throughput: this build has no OpenBLAS; install libopenblas-dev (of Debian and Ubuntu), "
        "then configure and build again");
  return std::make_unique<Products>(rows);
}

double overlap(const Samples& exchange, const Samples& compute, const Samples& both) {
  return (exchange.median() + compute.median() - both.median()) /
         std::min(exchange.median(), compute.median());
}

}  // namespace weft::net
