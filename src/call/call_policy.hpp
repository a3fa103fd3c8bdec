// What becomes of mistakes and errors in the calls of a plan. Ranks that wait for one that has
// thrown would wait forever, so either all throw, or the job ends, or the caller has taken
// responsibility for the other ranks (errors=raise).
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <weft/options.hpp>

#include "call/call_watch.hpp"
#include "call/stall_watch.hpp"

namespace weft {

/// The same error on every rank, none of which waits for another: the plan goes on.
struct SharedError : Error {
  using Error::Error;
};

class CallPolicy {
 public:
  /// `agrees`: all ranks compare each call before it begins.
  CallPolicy(const Communicator& communicator, ErrorPolicy policy, bool agrees, CallWatch& watch,
             StallWatch& stalls)
      : communicator_(communicator),
        policy_(policy),
        agrees_(agrees),
        watch_(watch),
        stalls_(stalls) {}

  /// One call of all ranks. `describe()`: a text that is the same on all of them; `check()` throws
  /// what is wrong on this rank before anything runs; `work()` does what is asked.
  template <class Describe, class Check, class Work>
  void call(Describe&& describe, Check&& check, Work&& work) {
    require_before_finalize();
    const Entry entry(*this);
    try {
      check();
      if (agrees_) agree_on(describe(), nullptr);
    } catch (const SharedError&) {
      throw;
    } catch (const std::exception& mistake) {
      if (agrees_) agree_on(describe(), &mistake);
      if (!all_ranks_failed()) fail(mistake.what());
      throw;
    }
    guarded(work);
  }

  /// The rest of a call that has begun.
  template <class Work>
  void proceed(Work&& work) {
    const Entry entry(*this);
    guarded(work);
  }

  bool has_failed() const { return !failure_.empty(); }

 private:
  /// A call by the one thread that is in the plan. Throws where another is, in another process than
  /// the one that made the plan, or where the plan has failed.
  class Entry {
   public:
    explicit Entry(CallPolicy& policy);
    ~Entry() { policy_.is_entered_ = false; }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    CallPolicy& policy_;
  };

  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const SharedError&) {
      throw;
    } catch (const std::exception& error) {
      fail(error.what());
      throw;
    } catch (...) {
      fail("an exception that is not a std::exception");
      throw;
    }
  }
  void agree_on(const std::string& call, const std::exception* mistake) const;
  bool all_ranks_failed() const;
  void fail(const std::string& message);

  const Communicator& communicator_;
  ErrorPolicy policy_;
  bool agrees_;
  CallWatch& watch_;
  StallWatch& stalls_;
  std::atomic<bool> is_entered_ = false;
  std::string failure_;  // what has stopped the plan; empty: nothing has
};

}  // namespace weft
