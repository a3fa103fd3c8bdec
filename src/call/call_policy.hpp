// Handles mistakes and errors in the calls of a plan. Ranks that wait for a rank that has thrown
// would wait forever. So all ranks throw, or the job ends, or the caller is responsible for the
// other ranks (errors=raise).
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <weft/options.hpp>

#include "call/call_watch.hpp"
#include "call/stall_watch.hpp"

namespace weft {

/// An error that every rank throws. No rank waits for another, so the plan can still be used.
struct SharedError : Error {
  using Error::Error;
};

class CallPolicy {
 public:
  /// One call of all ranks. `name()`: the same text on all of them; `check()` throws before
  /// anything runs if something is wrong on this rank; `work()` does the call's work.
  template <class Name, class Check, class Work>
  void call(Name&& name, Check&& check, Work&& work) {
    require_before_finalize();
    const Entry entry(*this);
    try {
      check();
      if (agrees_) agree_on(name(), nullptr);
    } catch (const SharedError&) {
      throw;
    } catch (const std::exception& mistake) {
      if (agrees_) agree_on(name(), &mistake);
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

 protected:
  /// `agrees`: all ranks compare each call before it begins, as they do with Options::check_calls.
  CallPolicy(const Communicator& communicator, const Options& options, bool agrees,
             CallWatch& watch, StallWatch::Describe describe)
      : communicator_(communicator),
        policy_(options.errors),
        agrees_(agrees || options.check_calls),
        watch_(watch),
        stalls_(options.stall_seconds, options.stall_limit, std::move(describe)) {}

  StallWatch& stalls() { return stalls_; }

 private:
  /// Marks the one thread that is inside the plan. Throws if another thread is inside, if another
  /// process made the plan, or if the plan has failed.
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
  void agree_on(const std::string& name, const std::exception* mistake);
  bool all_ranks_failed() const;
  void fail(const std::string& message);

  const Communicator& communicator_;
  ErrorPolicy policy_;
  bool agrees_;
  CallWatch& watch_;
  StallWatch stalls_;
  std::atomic<bool> is_entered_ = false;
  std::string failure_;  // the error that stopped the plan; empty: none
};

}  // namespace weft
