// What ranks compare at the end of a call with Options::verify: one small reduction if all is well,
// and two more to find who is at fault if not. Nothing blocks, so transforms in flight may end in
// any order.
#pragma once

#include <string>
#include <vector>

#include "mpi/communicator.hpp"
#include "plan/program.hpp"

namespace weft {

class Certificate {
 public:
  /// Of fields first to first + count - 1. No other call is certified on that communicator until
  /// this one is.
  Certificate(Communicator communicator, Program& program, int first, int count, std::string call);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  /// Goes on without waiting; true at the end.
  bool advance();
  const std::string& failure() const { return failure_; }

 private:
  enum class State { summing, comparing, exchanging, gathering, done };
  /// What all ranks add up for one exchange or pass.
  struct Difference {
    double real = 0;
    double imaginary = 0;
    double square = 0;
    double given = 0;  ///< the square of what the caller's array or function gives to a pass
  };
  /// The worst that one rank has seen: plain data, which travel as bytes.
  struct Finding {
    double error = 0;  // in units of what is tolerated
    double relative = 0;
    int place = -1;  // along the route: even numbers are passes, odd ones exchanges
    int field = 0;   // of the call
    int sender = -1;
    int receiver = -1;
    char host[64] = {};
    bool is_worse_than(const Finding& other) const;
  };

  void start_comparing();
  void start_exchanging();
  void start_gathering();
  void add_passes(std::size_t field);
  void add_exchanges(std::size_t field);
  void find_compared();
  bool is_right() const;
  double tolerance(std::size_t point) const;
  double pass_tolerance(int pass) const;
  double exchange_tolerance(int exchange) const;
  Finding finding(std::size_t field, std::size_t point, double difference) const;
  Finding worst() const;
  std::string text() const;
  std::size_t points() const { return stages_ + exchanges_; }

  Communicator communicator_;
  Program& program_;
  int first_;
  std::size_t fields_;
  std::size_t stages_;
  std::size_t exchanges_;
  std::string call_;
  State state_ = State::summing;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::vector<Difference> differences_;  // by field: passes, then exchanges
  std::vector<bool> compared_;           // the same
  // By peer, field and exchange, two parts of a sum: what this rank sent, what it received, and
  // what its peers say they sent.
  std::vector<double> sent_, received_, arrived_;
  std::vector<Finding> findings_;  // by rank
  std::string failure_;
};

}  // namespace weft
