// MPI's handles as owned values, and its return codes as exceptions.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with MPI's own text where a call failed.
void check_mpi(int code, const char* call);

/// A communicator of our own: a duplicate or part of the caller's, reporting errors as return
/// codes.
class Communicator {
 public:
  Communicator() = default;
  static Communicator duplicate(MPI_Comm original);
  /// Collective: the ranks with the same colour, in the order of `key`.
  Communicator split(int color, int key) const;
  /// The ranks that can share memory with this one.
  Communicator split_by_node() const;

  MPI_Comm get() const { return handle_ ? *handle_ : MPI_COMM_NULL; }
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  explicit Communicator(MPI_Comm owned);
  std::shared_ptr<MPI_Comm> handle_;
  int rank_ = 0;
  int size_ = 1;
};

/// Throws unless MPI is initialised and not finalised, and this is an intra-communicator.
void require_usable(MPI_Comm communicator);

/// What the MPI provides; MPI_THREAD_SINGLE before MPI_Init.
int thread_level();
/// Its name: "MPI_THREAD_MULTIPLE"; "no threads" before MPI_Init.
std::string thread_level_name();

/// Collective. Runs `work` on every rank; where it throws on any, throws the error of the lowest
/// such rank on all. `work` must not communicate in a way that a throw on one rank leaves others
/// waiting.
void agree(const Communicator& communicator, const std::function<void()>& work);

struct NamedValue {
  std::string name;
  std::string value;
};

/// Collective. Throws on all ranks unless each value is the same everywhere; the message names the
/// first that is not. All ranks pass the same names.
void require_same(const Communicator& communicator, const std::vector<NamedValue>& values);

/// For each rank, the node it is on: the lowest rank of the communicator that shares memory with
/// it.
std::vector<int> find_nodes(const Communicator& communicator, const Communicator& node);

}  // namespace weft
