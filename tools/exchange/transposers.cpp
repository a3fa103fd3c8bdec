// Other libraries are modules loaded at run time, for the same reason as bench's rivals.
#include "exchange/transposers.hpp"

#include <algorithm>

#include "bench/modules.hpp"
#include "ranks.hpp"

namespace weft::bench {
namespace {

const std::vector<Module>& baselines() {
  static const std::vector<Module> all = {
      {"fftw-mpi", "fftw-mpi-transpose", "FFTW-MPI (libfftw3_mpi)"},
      {"pdgemr2d", "scalapack", "ScaLAPACK (libscalapack)"},
      {"pdtran", "scalapack", "ScaLAPACK (libscalapack)"},
  };
  return all;
}

Plan plan_of(const Matrix& matrix, const Options& options) {
  Shape shape{matrix.side, matrix.side};
  Order columns{1, 0};
  if (matrix.width > 1) shape.push_back(matrix.width), columns.push_back(2);
  return Plan(matrix.communicator, Transform(shape, std::vector<Kind>(columns.size(), Kind::none)),
              Layout::slabs(shape, matrix.ranks, 0),
              Layout::slabs(shape, matrix.ranks, 1).ordered(columns), options);
}

/// A plan that transforms nothing, from slabs of rows to slabs of columns with contiguous columns.
/// It includes packing, since a transform waits for that too.
class WeftTransposer final : public Transposer {
 public:
  WeftTransposer(Matrix& matrix, const Options& options)
      : communicator_(matrix.communicator), plan_(plan_of(matrix, options)) {
    if (options.arrays == Arrays::plan) {
      own_in_ = plan_.input<double>();
      own_out_ = plan_.output<double>();
      matrix.in = own_in_->data();
      matrix.out = own_out_->data();
    }
    in_ = matrix.in;
    out_ = matrix.out;
  }
  void run() override { own_out_ ? plan_.forward(*own_in_, *own_out_) : plan_.forward(in_, out_); }
  std::optional<Cost> cost() const override {
    return Cost{largest(communicator_, plan_.workspace_bytes()),
                largest(communicator_, plan_.sent().bytes),
                largest(communicator_, plan_.sent().messages)};
  }

 private:
  MPI_Comm communicator_;
  Plan plan_;
  std::optional<Array<double>> own_in_, own_out_;
  double* in_;
  double* out_;
};

class PlainTransposer final : public Transposer {
 public:
  explicit PlainTransposer(Matrix& matrix)
      : communicator_(matrix.communicator),
        count_(static_cast<int>(matrix.width)),
        in_(static_cast<std::size_t>(matrix.size())),
        out_(in_.size()) {
    matrix.in = in_.data();
    matrix.out = out_.data();
  }
  void run() override {
    MPI_Alltoall(in_.data(), count_, MPI_DOUBLE, out_.data(), count_, MPI_DOUBLE, communicator_);
  }

 private:
  MPI_Comm communicator_;
  int count_;
  std::vector<double> in_, out_;
};

std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix) {
  MakeTransposer* make = nullptr;
  agree(matrix.communicator, [&] {
    make = reinterpret_cast<MakeTransposer*>(
        find_module(baselines(), name).open("weft_bench_transposer"));
  });
  std::unique_ptr<Transposer> made;
  make(name, matrix, made);
  return made;
}

}  // namespace

bool is_exchange(const std::string& name) { return std::ranges::count(exchange_names(), name) > 0; }

std::vector<std::string> baseline_names() { return names_of(baselines()); }

bool has_baseline(const std::string& name) { return find_module(baselines(), name).is_built(); }

std::unique_ptr<Transposer> make_transposer(const std::string& name, const Options& options,
                                            Matrix& matrix) {
  if (name == plain_alltoall) return std::make_unique<PlainTransposer>(matrix);
  if (!is_exchange(name)) return make_baseline(name, matrix);
  Options with_name = options;
  with_name.exchange = name;
  return std::make_unique<WeftTransposer>(matrix, with_name);
}

}  // namespace weft::bench
