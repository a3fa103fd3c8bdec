// The plans of one communicator. Dropping a plan is not collective, but freeing its windows and
// communicators is. So these are kept until every rank has dropped the plan, and are freed at the
// next collective point.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "session/session.hpp"

namespace weft {

class PlanRegistry : public std::enable_shared_from_this<PlanRegistry> {
 public:
  /// Collective. The registry of the caller's communicator. It lives until the communicator and all
  /// its plans have been freed, or until MPI_Finalize.
  static std::shared_ptr<PlanRegistry> of(MPI_Comm communicator);

  /// Called by all ranks for their plans in the same order. Dropping the last copy of the result
  /// retires the session: it may happen on any rank, in any order and in any thread. Its private
  /// memory is freed at once.
  std::shared_ptr<Session> adopt(std::unique_ptr<Session> session);
  /// Collective: frees the sessions that all ranks have retired, in the order of adoption. Also
  /// frees the retired sessions of orphans that this thread has made and whose ranks are all in
  /// this communicator.
  void free_retired();
  /// MPI_COMM_NULL after MPI_Finalize.
  MPI_Comm communicator() const { return communicator_.get(); }

 private:
  explicit PlanRegistry(MPI_Comm parent) : communicator_(Communicator::duplicate(parent)) {}
  static int free_attribute(MPI_Comm communicator, int key, void* registry, void* state);
  static int free_at_finalize(MPI_Comm communicator, int key, void* value, void* state);
  static int key();
  struct Entry {
    std::unique_ptr<Session> session;
    bool is_retired = false;
  };
  void retire(const Session* session);
  void free_own_retired();
  void forget_if_empty();

  Communicator communicator_;
  // Of an orphan, whose owner has freed the communicator before all plans: the thread that did so.
  // Only this thread frees the orphan's sessions along with others. Calls of one thread have the
  // same order on all ranks, but calls of several threads may not.
  std::thread::id freed_by_;
  std::mutex mutex_;            // a garbage collector may retire while another plan is adopted
  std::vector<Entry> entries_;  // not yet freed; the same plans on every rank, in the same order
};

}  // namespace weft
