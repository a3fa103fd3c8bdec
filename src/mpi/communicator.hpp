// Wraps MPI handles as owned values and return codes as exceptions: callers cannot leak or overlook
// them, but every call needs the wrapper.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with MPI's message if a call failed.
void check_mpi(int code, const char* call);

/// A communicator that Weft owns: a duplicate or a part of the caller's. Its errors are returned
/// as codes rather than aborting.
class Communicator {
 public:
  Communicator() = default;
  static Communicator duplicate(MPI_Comm original);
  /// The ranks with the same colour, in the order of `key`. Collective.
  Communicator split(int color, int key) const;
  /// The ranks that can share memory with this one. Collective.
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

/// The rank in `other` of each rank of `communicator`; MPI_UNDEFINED for ranks that `other` does
/// not have.
std::vector<int> ranks_within(MPI_Comm other, const Communicator& communicator);

/// Throws in a child process that was forked after the first plan. The child is no rank of the job,
/// but has the connections and windows of its parent.
void require_no_fork();

/// Whether MPI_Finalize has been called: handles must not be freed any more.
bool is_finalized();

/// Throws if MPI_Finalize has begun or returned.
void require_before_finalize();

/// Throws unless MPI is initialised and not finalised, this process is a rank, and this is an
/// intra-communicator.
void require_usable(MPI_Comm communicator);

/// The thread level that MPI provides; MPI_THREAD_SINGLE before MPI_Init.
int thread_level();
/// The name of that level, for example "MPI_THREAD_MULTIPLE"; "no threads" before MPI_Init.
std::string thread_level_name();

/// This host's name, as MPI gives it.
std::string host_name();

/// Collective. Runs `work` on every rank. If it throws on some ranks, throws the error of the
/// lowest of them on all ranks. `work` must not communicate in a way that leaves other ranks
/// waiting when one throws.
void agree(MPI_Comm communicator, const std::function<void()>& work);
inline void agree(const Communicator& communicator, const std::function<void()>& work) {
  agree(communicator.get(), work);
}

/// Ends the job of these ranks with a message of this one, which others may wait for. On a single
/// rank it returns: nobody waits.
void end_job(const Communicator& communicator, const std::string& message);

/// Collective. The text of rank `root`, on all ranks.
std::string broadcast_text(MPI_Comm communicator, std::string text, int root = 0);
/// Collective. The texts of all ranks, on all ranks; meant for few ranks, as on one node.
std::vector<std::string> texts_of_ranks(MPI_Comm communicator, const std::string& own);
/// Collective. The largest of the ranks' values, on all ranks.
double largest(MPI_Comm communicator, double value);

/// Collective. The values of all ranks, on all ranks; plain data.
template <class Value>
std::vector<Value> gathered(const Communicator& communicator, const Value& own) {
  std::vector<Value> all(static_cast<std::size_t>(communicator.size()));
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                          communicator.get()),
            "MPI_Allgather");
  return all;
}

struct NamedValue {
  std::string name;
  std::string value;
};

/// Collective. Throws on all ranks unless each value is the same on every rank; the message names
/// the first value that differs. All ranks pass the same names.
void require_same(const Communicator& communicator, const std::vector<NamedValue>& values);

/// The node of each rank, identified by the lowest rank on it. `node` is this rank's part of
/// `communicator`, from split_by_node(). Collective.
std::vector<int> find_nodes(const Communicator& communicator, const Communicator& node);

}  // namespace weft
