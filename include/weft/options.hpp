// How to compute it: every choice is `auto` or named, and all of them parse from and print to one
// string.
#pragma once

#include <string>
#include <vector>
#include <weft/export.hpp>
#include <weft/layout.hpp>

namespace weft {

/// How the planner lays out arrays whose layout the caller leaves to it.
enum class Decomposition { automatic, slab, pencil, brick };
/// The spectrum's layout where the caller leaves it to the planner: `transposed` is the cheap one
/// (one exchange less), `natural` splits the spectrum as the physical array is split.
enum class OutputLayout { transposed, natural };
/// Which arrays forward and backward are given. `plan`: only those of Plan::input and Plan::output,
/// so that no window is kept for results on their way to a caller's array; where that saves one,
/// others are an error.
enum class Arrays { any, plan };
/// What numbers are on their way between ranks. `single_`: float, for double data. `bfloat16`: 8
/// bits of precision with the range of float. `half`: a complex number in 32 bits, its parts as
/// 12-bit multiples of a power of two of its own, in the range of float. Relative rounding errors
/// of 2^-24, 2^-8 and 2^-12 in each exchange.
enum class Wire { exact, single_, bfloat16, half };
/// How the chunks of a single transform hide the exchange. `pipeline`: blocks travel while others
/// are made and consumed. `split`: a part of the exchange is moved first, with nothing running
/// meanwhile, and the rest behind the transforms of that part.
enum class ScheduleForm { pipeline, split };
/// Which of the blocks that are ready start first: those that are consumed first, or those that
/// were produced first.
enum class StartOrder { consumer, producer };
/// How the numbers of a block lie on their way: with the lines of the pass that consumes them next
/// to each other, so that its tiles are gathered from one stretch of memory each, or with those of
/// the pass that produces them, so that its tiles are scattered to one.
enum class PackOrder { consumer, producer };
/// Who gives the exchanges on their way a chance to progress while this rank computes. `none`: the
/// network does. `poll`: a test every `poll_tiles` tiles. `adaptive`: tests as often as they find
/// something to do. `thread`: one thread per rank that sends (in two_level: one per node); it needs
/// MPI_THREAD_MULTIPLE.
enum class ProgressPolicy { adaptive, none, poll, thread };
/// Where choices left open come from. `estimate`: wisdom, where an earlier search has left some,
/// else a model of this machine. `measure`: a search that runs whole transforms, kept as wisdom.
enum class Effort { estimate, measure };
/// What becomes of an error in a call on several ranks. `abort`: it ends the job with its message,
/// since the other ranks would wait for this one forever. `raise`: it is thrown on this rank, which
/// must see to the others; ranks of the same node that wait in this call throw too. A plan that an
/// error has stopped in the middle of a transform says so in every later call.
enum class ErrorPolicy { abort, raise };
/// How hard an engine searches for its 1-D plans (FFTW's planner flags).
enum class EngineEffort { estimate, measure, patient };

/// The value's name in the text of options.
WEFT_API std::string to_string(Decomposition value);
/// The value's name in the text of options.
WEFT_API std::string to_string(OutputLayout value);
/// The value's name in the text of options.
WEFT_API std::string to_string(Arrays value);
/// The value's name in the text of options.
WEFT_API std::string to_string(Wire value);
/// The value's name in the text of options.
WEFT_API std::string to_string(ScheduleForm value);
/// The value's name in the text of options.
WEFT_API std::string to_string(StartOrder value);
/// The value's name in the text of options.
WEFT_API std::string to_string(PackOrder value);
/// The value's name in the text of options.
WEFT_API std::string to_string(ProgressPolicy value);
/// The value's name in the text of options.
WEFT_API std::string to_string(Effort value);
/// The value's name in the text of options.
WEFT_API std::string to_string(EngineEffort value);

/// The value's name in the text of options.
WEFT_API std::string to_string(ErrorPolicy value);

/// Every choice of how to compute. The defaults suit the first plan; `weft tune` finds better ones.
struct WEFT_API Options {
  /// How arrays are split whose layout the planner chooses.
  Decomposition decomposition = Decomposition::automatic;
  /// Process grid; empty: chosen. {p, q} for pencils, one per axis for bricks.
  std::vector<int> grid;
  /// By which rule axes are cut, where the planner chooses a layout.
  Partition partition = Partition::balanced;
  /// How the spectrum lies, where the planner chooses its layout.
  OutputLayout output = OutputLayout::transposed;
  /// A name of `all_exchange_names()`, or "auto"; or one for each exchange of forward, in their
  /// order, with slashes between them: "shared/p2p" for pencils whose rows are nodes.
  std::string exchange = "auto";
  std::string engine = "auto";  ///< a name of `engine_names()`, or "auto" (the first built)
  EngineEffort engine_effort = EngineEffort::measure;  ///< of the engine's own planning
  Effort effort = Effort::estimate;  ///< of choosing what these options leave open
  double tuning_seconds = 30;        ///< how long effort=measure may search, about
  int threads = 1;                   ///< OpenMP threads per rank
  int producer_chunks = 0;           ///< K: chunks of each pass before the last exchange; 0: chosen
  int consumer_chunks = 0;           ///< J: chunks of the passes behind it; 0: chosen
  ScheduleForm schedule = ScheduleForm::pipeline;  ///< used where there are several chunks
  /// Of the blocks that are ready, the part that is started by each step (of 3/4, lowest consumer
  /// first, the last quarter waits for blocks that are needed earlier); for `split`, the part that
  /// is moved first.
  double start_share = 0.75;
  StartOrder start_order = StartOrder::consumer;  ///< of blocks that are ready together
  PackOrder pack_order = PackOrder::consumer;     ///< of the numbers within a block
  /// Blocks (of each exchange) that may be on their way at a time, the others waiting in the order
  /// they were started in; 0: all. MPIs that share the link out evenly among messages deliver the
  /// first block last without such a bound.
  int in_flight = 8;
  /// Who lets messages move on while a pass computes.
  ProgressPolicy progress = ProgressPolicy::adaptive;
  int poll_tiles = 4;           ///< tiles from one test to the next, for progress=poll
  Arrays arrays = Arrays::any;  ///< which arrays the plan will be given
  Wire wire = Wire::exact;      ///< the form of numbers between ranks
  /// If not 0: the plan takes the wire that sends least with a relative L2 error up to this,
  /// forward and backward together, in a trial on random data. `wire` is then what it took.
  double wire_error = 0;
  int fields = 1;  ///< transforms that one call may have in flight, each with its own buffers
  ErrorPolicy errors = ErrorPolicy::abort;  ///< of calls on several ranks
  /// Before each call all ranks compare what they call and whether its arguments are right, by one
  /// small reduction: a mistake of one rank, or different calls, are then the same Error on every
  /// rank whatever `errors` says. The environment variable WEFT_CHECK=1 (on rank 0) turns it on.
  bool check_calls = false;
  /// A rank that has waited this long for others says so on stderr, once, with the call, the
  /// exchange and whom it waits for; 0: never.
  double stall_seconds = 30;
  /// After waiting this long it ends the job with that message; 0: never.
  double stall_limit = 0;
  /// The method between the leaders of nodes, for two_level: one of `inter_node_names()`.
  std::string inter_node = "alltoallv";
  int ranks_per_node = 0;  ///< treats this many ranks as a node; 0: nodes as they are
  Index count_limit = 0;   ///< largest count given to MPI; 0: what an int holds (lowered by tests)

  /// Parses "exchange=shared, grid=2x2, engine=mkl"; keys as printed by to_string. Throws `Error`
  /// naming the key or value and listing what is valid.
  static Options parse(const std::string& text);
  /// Equal where every option is.
  friend bool operator==(const Options&, const Options&) = default;
};

/// The non-default settings, in the form that `parse` reads; "auto" where all are default.
WEFT_API std::string to_string(const Options& options);

/// The exchange methods with which every plan can be made.
WEFT_API std::vector<std::string> exchange_names();
/// And those methods with which some plans cannot be made: "pairwise_in_place".
WEFT_API std::vector<std::string> all_exchange_names();
/// The methods that may serve between nodes: those that send packed blocks.
WEFT_API std::vector<std::string> inter_node_names();
/// The FFT engines at hand, the default first: "fftw", and "mkl" where it is found at run time.
WEFT_API std::vector<std::string> engine_names();

}  // namespace weft
