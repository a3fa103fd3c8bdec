// FFTW 2's MPI interface for transforms of several axes, in its own translation to Weft. A plan of
// FFTW 2 knows neither arrays, nor fields, nor their order: each of these combinations becomes a
// plan of Weft when it first runs.
#include <dlfcn.h>

#include <limits>
#include <map>
#include <memory>

#include "problem.hpp"
#include "reference.hpp"
#include "report.hpp"

#define WEFT_FFTW2_API extern "C" __attribute__((visibility("default")))

namespace weft::fftw {

/// FFTW 2's fftwnd_mpi_output_order.
enum class Order : int { normal, transposed };

/// What FFTW 2 itself calls a plan.
using Original = struct OriginalPlan*;
using Create = Original(MPI_Comm, int, const int*, int, int);
using Run = void(Original, int, Real*, Real*, Order);
using Destroy = void(Original);

namespace {

/// A function of FFTW 2 itself, which comes after this library on the link line; null where there
/// is none.
template <class Function>
Function* original(bool is_real, const std::string& name) {
  const std::string full = (is_real ? "rfftwnd_mpi" : "fftwnd_mpi") + name;
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, full.c_str()));
}

int as_int(Size value) {
  if (value > std::numeric_limits<int>::max())
    throw Error("a size of " + std::to_string(value) + " does not fit the int of FFTW 2");
  return static_cast<int>(value);
}

}  // namespace

class Plan2 {
 public:
  Plan2(bool is_real, MPI_Comm communicator, std::vector<int> n, int direction, int flags)
      : is_real_(is_real),
        n_(std::move(n)),
        direction_(direction),
        flags_(flags),
        mode_(agreed_mode(communicator)) {
    check_sizes(shape(), 1, {});
    MPI_Comm_dup(communicator, &communicator_);
  }
  ~Plan2() {
    if (original_) original<Destroy>(is_real_, "_destroy_plan")(original_);
    combinations_.clear();
    MPI_Comm_free(&communicator_);
  }
  Plan2(const Plan2&) = delete;

  void tell_sizes(int* rows, int* first_row, int* columns, int* first_column, int* total) const {
    const int ranks = ranks_in(communicator_), rank = rank_in(communicator_);
    std::vector<Size> complex_shape = shape();
    if (is_real_) complex_shape.back() = complex_shape.back() / 2 + 1;
    const Slabs before = Slabs::of(complex_shape, 0, 0, ranks);
    const Slabs after = Slabs::of(complex_shape, 1, 0, ranks);
    *rows = as_int(before.lengths(complex_shape, rank)[0]);
    *first_row = as_int(before.start(complex_shape, rank));
    *columns = as_int(after.lengths(complex_shape, rank)[1]);
    *first_column = as_int(after.start(complex_shape, rank));
    const Size numbers = allocation(complex_shape, 1, before, after, ranks, rank);
    *total = as_int(is_real_ ? 2 * numbers : numbers);
  }

  /// Collective: transforms fields, whose numbers lie together at each point, in place.
  void run(int fields, Real* data, Real* work, Order order) {
    Combination& one = combination(fields, order);
    if (one.transforms) ++*one.transforms;
    if (!one.plan) return original<Run>(is_real_, "")(original_, fields, data, work, order);
    if (one.reference) one.reference->compute(data);
    const RawArray in{data, one.translation.input_type}, out{data, one.translation.output_type};
    one.plan->run(one.translation.direction, {&in, 1}, {&out, 1});
    if (one.reference) one.reference->compare(data, to_string(problem(fields, order)), *one.plan);
  }

 private:
  /// Without a plan of Weft, FFTW 2 computes.
  struct Combination {
    Translation translation;
    std::unique_ptr<Plan> plan;
    std::atomic<long>* transforms = nullptr;
    std::unique_ptr<Reference> reference;  // with WEFT_FFTW=check
  };

  std::vector<Size> shape() const { return {n_.begin(), n_.end()}; }

  /// Transposed order is of the spectrum of real transforms, else of the output.
  Problem problem(int fields, Order order) const {
    Problem problem;
    problem.shape = shape();
    problem.kinds.assign(n_.size(), Kind::c2c);
    problem.howmany = fields;
    problem.sign = direction_;
    if (is_real_) problem.kinds.back() = direction_ < 0 ? Kind::r2c : Kind::c2r;
    if (order == Order::transposed)
      problem.flags = is_real_ && direction_ > 0 ? transposed_in : transposed_out;
    return problem;
  }

  Combination& combination(int fields, Order order) {
    const auto [found, is_new] = combinations_.try_emplace({fields, order});
    Combination& one = found->second;
    if (!is_new) return one;
    const Problem asked = problem(fields, order);
    try {
      if (mode_ == Mode::off && has_original()) throw Error("WEFT_FFTW=off");
      one.translation = translate(asked, ranks_in(communicator_), rank_in(communicator_));
      const bool is_forward = one.translation.direction == Direction::forward;
      one.plan =
          std::make_unique<Plan>(communicator_, one.translation.transform,
                                 is_forward ? one.translation.input : one.translation.output,
                                 is_forward ? one.translation.output : one.translation.input);
      one.transforms = count_plan(to_string(asked), "");
    } catch (const Error& reason) {  // on all ranks
      if (!has_original()) throw;
      count_plan(to_string(asked), reason.what());
    }
    if (one.plan && mode_ == Mode::check && has_original()) {
      one.reference = std::make_unique<Reference>(one.translation, true, communicator_);
      one.reference->run_by([=, this, data = one.reference->input()] {
        original<Run>(is_real_, "")(original_, fields, data, nullptr, order);
      });
    }
    return one;
  }

  /// Makes FFTW 2's plan, if it is there. Collective.
  bool has_original() {
    auto* const create = original<Create>(is_real_, "_create_plan");
    if (create && !original_)
      original_ = create(communicator_, static_cast<int>(n_.size()), n_.data(), direction_, flags_);
    return original_ != nullptr;
  }

  bool is_real_;
  std::vector<int> n_;
  int direction_;
  int flags_;
  Mode mode_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  Original original_ = nullptr;
  std::map<std::pair<int, Order>, Combination> combinations_;
};

namespace {

/// Null for one axis, as in FFTW 2.
Plan2* make(bool is_real, MPI_Comm communicator, const std::vector<int>& n, int direction,
            int flags) {
  if (n.size() < 2) return nullptr;
  return guarded("create_plan",
                 [&] { return new Plan2(is_real, communicator, n, direction, flags); });
}

std::vector<int> listed(int rank, const int* n) { return {n, n + std::max(rank, 0)}; }

/// Fortran's axes are in the other order.
std::vector<int> reversed(int rank, const int* n) {
  std::vector<int> axes = listed(rank, n);
  return {axes.rbegin(), axes.rend()};
}

}  // namespace

WEFT_FFTW2_API Plan2* fftwnd_mpi_create_plan(MPI_Comm communicator, int rank, const int* n,
                                             int direction, int flags) {
  return make(false, communicator, listed(rank, n), direction, flags);
}
WEFT_FFTW2_API Plan2* fftw2d_mpi_create_plan(MPI_Comm communicator, int nx, int ny, int direction,
                                             int flags) {
  return make(false, communicator, {nx, ny}, direction, flags);
}
WEFT_FFTW2_API Plan2* fftw3d_mpi_create_plan(MPI_Comm communicator, int nx, int ny, int nz,
                                             int direction, int flags) {
  return make(false, communicator, {nx, ny, nz}, direction, flags);
}
WEFT_FFTW2_API Plan2* rfftwnd_mpi_create_plan(MPI_Comm communicator, int rank, const int* n,
                                              int direction, int flags) {
  return make(true, communicator, listed(rank, n), direction, flags);
}
WEFT_FFTW2_API Plan2* rfftw2d_mpi_create_plan(MPI_Comm communicator, int nx, int ny, int direction,
                                              int flags) {
  return make(true, communicator, {nx, ny}, direction, flags);
}
WEFT_FFTW2_API Plan2* rfftw3d_mpi_create_plan(MPI_Comm communicator, int nx, int ny, int nz,
                                              int direction, int flags) {
  return make(true, communicator, {nx, ny, nz}, direction, flags);
}
WEFT_FFTW2_API void fftwnd_mpi_destroy_plan(Plan2* plan) {
  guarded("destroy_plan", [&] { delete plan; });
}
WEFT_FFTW2_API void fftwnd_mpi_local_sizes(Plan2* plan, int* rows, int* first_row, int* columns,
                                           int* first_column, int* total) {
  guarded("local_sizes", [&] { plan->tell_sizes(rows, first_row, columns, first_column, total); });
}
WEFT_FFTW2_API void fftwnd_mpi(Plan2* plan, int fields, Real* data, Real* work, Order order) {
  guarded("fftwnd_mpi", [&] { plan->run(fields, data, work, order); });
}

WEFT_FFTW2_API void fftwnd_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                const int* rank, const int* n, const int* direction,
                                                const int* flags) {
  *plan = make(false, MPI_Comm_f2c(*communicator), reversed(*rank, n), *direction, *flags);
}
WEFT_FFTW2_API void fftw2d_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                const int* nx, const int* ny, const int* direction,
                                                const int* flags) {
  *plan = make(false, MPI_Comm_f2c(*communicator), {*ny, *nx}, *direction, *flags);
}
WEFT_FFTW2_API void fftw3d_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                const int* nx, const int* ny, const int* nz,
                                                const int* direction, const int* flags) {
  *plan = make(false, MPI_Comm_f2c(*communicator), {*nz, *ny, *nx}, *direction, *flags);
}
WEFT_FFTW2_API void rfftwnd_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                 const int* rank, const int* n,
                                                 const int* direction, const int* flags) {
  *plan = make(true, MPI_Comm_f2c(*communicator), reversed(*rank, n), *direction, *flags);
}
WEFT_FFTW2_API void rfftw2d_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                 const int* nx, const int* ny, const int* direction,
                                                 const int* flags) {
  *plan = make(true, MPI_Comm_f2c(*communicator), {*ny, *nx}, *direction, *flags);
}
WEFT_FFTW2_API void rfftw3d_f77_mpi_create_plan_(Plan2** plan, const MPI_Fint* communicator,
                                                 const int* nx, const int* ny, const int* nz,
                                                 const int* direction, const int* flags) {
  *plan = make(true, MPI_Comm_f2c(*communicator), {*nz, *ny, *nx}, *direction, *flags);
}
WEFT_FFTW2_API void fftwnd_f77_mpi_destroy_plan_(Plan2** plan) { fftwnd_mpi_destroy_plan(*plan); }
WEFT_FFTW2_API void fftwnd_f77_mpi_local_sizes_(Plan2** plan, int* rows, int* first_row,
                                                int* columns, int* first_column, int* total) {
  fftwnd_mpi_local_sizes(*plan, rows, first_row, columns, first_column, total);
}
WEFT_FFTW2_API void fftwnd_f77_mpi_(Plan2** plan, const int* fields, Real* data, Real* work,
                                    const int* has_work, const int* order) {
  fftwnd_mpi(*plan, *fields, data, *has_work ? work : nullptr, static_cast<Order>(*order != 0));
}

// A plan knows whether it is of real numbers.
#define WEFT_SAME_AS(name) __attribute__((alias(name), visibility("default")))
extern "C" {
void rfftwnd_mpi_destroy_plan(Plan2*) WEFT_SAME_AS("fftwnd_mpi_destroy_plan");
void rfftwnd_mpi_local_sizes(Plan2*, int*, int*, int*, int*, int*)
    WEFT_SAME_AS("fftwnd_mpi_local_sizes");
void rfftwnd_mpi(Plan2*, int, Real*, Real*, Order) WEFT_SAME_AS("fftwnd_mpi");
void rfftwnd_f77_mpi_destroy_plan_(Plan2**) WEFT_SAME_AS("fftwnd_f77_mpi_destroy_plan_");
void rfftwnd_f77_mpi_local_sizes_(Plan2**, int*, int*, int*, int*, int*)
    WEFT_SAME_AS("fftwnd_f77_mpi_local_sizes_");
void rfftwnd_f77_mpi_(Plan2**, const int*, Real*, Real*, const int*, const int*)
    WEFT_SAME_AS("fftwnd_f77_mpi_");
}

}  // namespace weft::fftw
