// ScaLAPACK's routines: p?gemr2d, which redistributes rows to columns without transposing, and
// PBLAS's pdtran, which transposes. For Fortran, where the first index is the fastest, the rows of
// a rank are columns of the transposed matrix.
#include <array>
#include <limits>

#include "exchange/transposer.hpp"

// ScaLAPACK has no header files. These declarations match its BLACS/SRC (sys2blacs_.c,
// free_handle_.c, blacs_init_.c, blacs_grid_.c), REDIST/SRC/pdgemr2d.c and PBLAS/SRC/pdtran_.c.
extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void pdgemr2d_(const int* m, const int* n, const double* a, const int* ia, const int* ja,
               const int* desc_a, double* b, const int* ib, const int* jb, const int* desc_b,
               const int* context);
void pdtran_(const int* m, const int* n, const double* alpha, const double* a, const int* ia,
             const int* ja, const int* desc_a, const double* beta, double* c, const int* ic,
             const int* jc, const int* desc_c);
}

namespace weft::bench {
namespace {

/// BLACS's handle of a communicator.
class Handle {
 public:
  explicit Handle(MPI_Comm communicator) : value_(Csys2blacs_handle(communicator)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { Cfree_blacs_system_handle(value_); }
  int value() const { return value_; }

 private:
  int value_;
};

/// The ranks of a communicator as a grid of processes.
class Grid {
 public:
  Grid(const Handle& handle, int rows, int columns) : context_(handle.value()) {
    Cblacs_gridinit(&context_, "Row", rows, columns);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid() { Cblacs_gridexit(context_); }
  int context() const { return context_; }

 private:
  int context_;
};

/// ScaLAPACK's descriptor of a square matrix with one block per process.
using Descriptor = std::array<int, 9>;

Descriptor describe(const Grid& grid, int side, int block_rows, int block_columns) {
  constexpr int dense = 1;
  return {dense, grid.context(), side, side, block_rows, block_columns, 0, 0, block_rows};
}

class ScalapackTransposer : public Transposer {
 public:
  ScalapackTransposer(const Matrix& matrix, bool transposes)
      : matrix_(matrix),
        transposes_(transposes),
        side_(static_cast<int>(matrix.side)),
        handle_(matrix.communicator),
        wide_(handle_, 1, matrix.ranks),
        tall_(handle_, matrix.ranks, 1),
        columns_(describe(wide_, side_, side_, static_cast<int>(matrix.lines()))),
        rows_(describe(tall_, side_, static_cast<int>(matrix.lines()), side_)) {}

  void run() override {
    const int first = 1;
    const int context = wide_.context();
    const double one = 1;
    const double zero = 0;
    if (transposes_)
      pdtran_(&side_, &side_, &one, matrix_.in, &first, &first, columns_.data(), &zero, matrix_.out,
              &first, &first, columns_.data());
    else
      pdgemr2d_(&side_, &side_, matrix_.in, &first, &first, columns_.data(), matrix_.out, &first,
                &first, rows_.data(), &context);
  }
  bool keeps_rows() const override { return !transposes_; }

 private:
  Matrix matrix_;
  bool transposes_;
  int side_;
  Handle handle_;
  Grid wide_, tall_;
  Descriptor columns_, rows_;
};

}  // namespace

extern "C" [[gnu::visibility("default")]] void weft_bench_transposer(
    const std::string& name, const Matrix& matrix, std::unique_ptr<Transposer>& made) {
  const Index bytes = matrix.side * matrix.lines() * static_cast<Index>(sizeof(double));
  if (bytes > std::numeric_limits<int>::max())
    throw Error("ScaLAPACK counts a rank's share of the matrix in an int");
  made = std::make_unique<ScalapackTransposer>(matrix, name == "pdtran");
}

}  // namespace weft::bench
