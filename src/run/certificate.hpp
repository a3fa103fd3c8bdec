// Compares sums between ranks at the end of a call with Options::verify, by one small reduction if
// all is well. Otherwise a message to every peer, another reduction and a broadcast find the rank
// at fault. Nothing blocks, so transforms in flight may end in any order.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "mpi/communicator.hpp"
#include "plan/program.hpp"

namespace weft {

/// The call of a program's fields first to first + count - 1.
struct CertifiedCall {
  int first = 0;
  int count = 1;
  std::string name;
};

class Certificate {
 public:
  /// No other call may be certified on this communicator until this call is.
  Certificate(Communicator communicator, Program& program, CertifiedCall call);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  /// Goes on without waiting; true at the end.
  bool advance();
  const std::string& failure() const { return failure_; }

 private:
  enum class State { summing, comparing, exchanging, searching, naming, done };
  /// The sums over all ranks for one exchange or pass.
  struct Difference {
    double real = 0;
    double imaginary = 0;
    double square = 0;
    double given = 0;  ///< the square of the caller's data (array or function) for a pass
  };
  /// The sums of one exchange's blocks, by block and field: of blocks that this rank sent, of
  /// blocks that it received, and as reported by its peers, which sent them.
  struct Sides {
    std::vector<std::complex<double>> sent, received, arrived;
  };
  /// The worst error that has been seen: plain data, which travel as bytes.
  struct Finding {
    double error = 0;  // in units of the tolerance
    double relative = 0;
    int place = -1;  // along the route: even numbers are passes, odd ones exchanges
    int field = 0;   // of the call
    int sender = -1;
    int receiver = -1;
    bool is_worse_than(const Finding& other) const;
    static void keep_worse(void* found, void* worst, int* count, MPI_Datatype*);
  };

  /// The hosts of the sender and the receiver of the worst finding.
  struct Hosts {
    char sender[64] = {};
    char receiver[64] = {};
  };

  bool have_ended();
  void start_comparing();
  void start_exchanging();
  void start_searching();
  void start_naming();
  /// The sums of all blocks of a pass.
  struct Ends {
    std::vector<BlockSums::Sum> source, target;
  };
  Ends ends(std::size_t field, std::size_t stage) const;
  void add_passes(std::size_t field, const std::vector<Ends>& passes);
  void add_exchanges(std::size_t field, const std::vector<Ends>& passes);
  void find_compared();
  bool is_right() const;
  double tolerance(std::size_t point) const;
  double pass_tolerance(int pass) const;
  double exchange_tolerance(int exchange) const;
  Finding finding(std::size_t field, std::size_t point, double difference) const;
  Finding worst() const;
  std::string text() const;
  std::size_t fields() const { return static_cast<std::size_t>(call_.count); }
  std::size_t stages() const { return program_.route().stages.size(); }
  std::size_t exchanges() const { return program_.route().exchanges.size(); }
  std::size_t points() const { return stages() + exchanges(); }
  /// The sums of the input and the output of a field's pass.
  const PassSums& sums(std::size_t field, std::size_t stage) const {
    return *program_.sums(call_.first + static_cast<int>(field), static_cast<int>(stage));
  }

  Communicator communicator_;
  Program& program_;
  CertifiedCall call_;
  State state_ = State::summing;
  std::vector<MPI_Request> requests_;
  std::vector<Difference> differences_;  // by field: passes, then exchanges
  std::vector<bool> compared_;           // the same
  std::vector<Sides> sides_;             // by exchange
  Finding worst_;
  Hosts hosts_;
  std::string failure_;
};

}  // namespace weft
