// Who sees to it that MPI goes on with an exchange while the rank computes.
#pragma once

#include <string>
#include <vector>

namespace weft::net {

struct ProgressPolicy {
  enum class Kind {
    none,        ///< nobody: the exchange is left alone until it is waited for
    poll_count,  ///< the computing thread calls MPI_Test so many times, evenly spread
    poll_time,   ///< and after so many seconds of work
    thread       ///< another thread waits in MPI meanwhile
  };
  std::string name;
  Kind kind = Kind::none;
  double value = 0;

  /// Why it cannot be had in this run; "" where it can. (MPI must be initialized.)
  std::string unavailable() const;
};

/// "none", "poll:16", "poll:50us", "thread". Throws an Error that lists them.
ProgressPolicy parse_policy(const std::string& text);

/// MPI's name for what it provides: "funneled".
std::string thread_level();

}  // namespace weft::net
