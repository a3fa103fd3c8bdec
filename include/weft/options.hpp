// How to compute a transform: every option is `auto` or named. All of them together parse from and
// print to one string.
#pragma once

#include <string>
#include <vector>
#include <weft/export.hpp>
#include <weft/layout.hpp>
#include <weft/wire.hpp>

namespace weft {

/// How arrays are split among ranks if the planner chooses their layout.
/// `automatic`: slabs or pencils. `any`: also cyclic layouts, in which boxes hold no ranges of
/// indices (see Layout::cyclic), so only the caller can allow them.
enum class Decomposition { automatic, slab, pencil, brick, cyclic, any };
/// The spectrum's layout if the planner chooses it: `transposed` is cheaper (one exchange less),
/// `natural` splits the spectrum as the physical array is split. `scrambled`: of a single axis, see
/// Layout::scrambled; else as `transposed`, for single axes also in the order of indices.
enum class OutputLayout { transposed, natural, scrambled };
/// Which arrays forward and backward will be given. `plan`: only the arrays of Plan::input and
/// Plan::output. This saves the window through which results otherwise reach a caller's array; a
/// plan without that window refuses other arrays.
enum class Arrays { any, plan };
/// How the chunks of a single transform hide the exchange. `pipeline`: blocks travel while others
/// are made and consumed. `split`: a part of the exchange moves first, while nothing else runs; the
/// rest moves while that part is transformed.
enum class ScheduleForm { pipeline, split };
/// Which ready blocks start first: the blocks that are consumed first, or the blocks that were
/// produced first.
enum class StartOrder { consumer, producer };
/// The order of the numbers within a block. `consumer` suits the pass that reads the block: each of
/// its tiles is gathered from one stretch of memory. `producer` suits the pass that writes the
/// block: each of its tiles is scattered to one stretch.
enum class PackOrder { consumer, producer };
/// Who lets messages in flight progress while this rank computes. `none`: only the network.
/// `poll`: a test every `poll_tiles` tiles. `adaptive`: tests as often as they find
/// something to do. `thread`: one thread per rank that sends (in two_level: one per node); it needs
/// MPI_THREAD_MULTIPLE.
enum class ProgressPolicy { adaptive, none, poll, thread };
/// How options that are left open are chosen. `estimate`: from wisdom if an earlier search has left
/// some, otherwise by a model of this machine. `measure`: by a search that runs whole transforms
/// and leaves its result as wisdom.
enum class Effort { estimate, measure };
/// How a plan treats a mistake in a call that only some ranks make, and an error in the middle of a
/// transform. `abort`: the error ends the job with its message, because the other ranks would wait
/// for this one forever. `raise`: this rank throws the error, and so do ranks of the same node that
/// wait in this call. The caller must deal with the other ranks. The plan has then failed, as every
/// later call reports. If all ranks make a mistake, all of them throw it, and the plan goes on.
enum class ErrorPolicy { abort, raise };
/// How MPI moves blocks that lie in a device's memory. `direct`: MPI gets the addresses on the
/// device. `staged`: blocks are copied through buffers of the host. `automatic`: `direct` if MPI
/// says that it takes these addresses and a test with the plan's buffers confirms it on all ranks,
/// else `staged`. Plans on the host need neither.
enum class DevicePath { automatic, direct, staged };
/// How hard an engine searches for its 1-D plans (FFTW's planner flags).
enum class EngineEffort { estimate, measure, patient };

/// @{
/// The value's name in the text of options.
WEFT_API std::string to_string(Decomposition value);
WEFT_API std::string to_string(OutputLayout value);
WEFT_API std::string to_string(Arrays value);
WEFT_API std::string to_string(Wire value);
WEFT_API std::string to_string(ScheduleForm value);
WEFT_API std::string to_string(StartOrder value);
WEFT_API std::string to_string(PackOrder value);
WEFT_API std::string to_string(ProgressPolicy value);
WEFT_API std::string to_string(Effort value);
WEFT_API std::string to_string(DevicePath value);
WEFT_API std::string to_string(EngineEffort value);
WEFT_API std::string to_string(ErrorPolicy value);
/// @}

/// Every choice of how to compute. The defaults suit the first plan; `weft tune` finds better ones.
struct WEFT_API Options {
  /// How arrays are split if the planner chooses their layout.
  Decomposition decomposition = Decomposition::automatic;
  /// Process grid; empty: chosen. {p, q} for pencils, one per axis for bricks.
  std::vector<int> grid;
  /// How many ranks hold data if the planner chooses their layout. 0: all ranks. n: n ranks, at
  /// most as many as there are, else an Error. `chosen`: the number that wisdom, a search or the
  /// model expects to be fastest. Of n ranks, rank r * (ranks / n) holds part r. This is one rank
  /// per node if there are n nodes, and every node has the same number of consecutive ranks. The
  /// other ranks hold nothing, and return from forward and backward without waiting. Small arrays
  /// are faster on few ranks, but then only these ranks share the caller's own work on the arrays.
  int active_ranks = 0;
  static constexpr int chosen = -1;  ///< of active_ranks: "auto" in the text of options
  /// The rule by which axes are cut if the planner chooses a layout.
  Partition partition = Partition::balanced;
  /// The spectrum's layout if the planner chooses it.
  OutputLayout output = OutputLayout::transposed;
  /// A name of `all_exchange_names()`, or "auto". Or a name for each exchange of forward, in their
  /// order, with slashes between them: "shared/p2p" for pencils whose rows are nodes.
  std::string exchange = "auto";
  /// Where the plan's own arrays lie and its passes run: one of `device_names()`. "cuda" is the
  /// NVIDIA GPU that the calling thread uses, "cuda:auto" one near the cores that the rank is bound
  /// to; "hip" and "hip:auto" mean AMD GPUs. The caller's arrays may lie on the device or in the
  /// host's memory; Weft then copies them. Devices other than "cpu" have the kinds c2c, r2c and
  /// c2r, and the operators of SpectralOperators for `apply`. They have no `verify` and no
  /// `wire_error`. An option that a device lacks is an Error that says so.
  std::string device = "cpu";
  /// How MPI moves blocks between devices. `describe` says which way was taken, and why. `direct`
  /// is not tested: a program crashes if it asks for it and MPI cannot do it.
  DevicePath device_path = DevicePath::automatic;
  std::string engine = "auto";  ///< a name of `all_engine_names()`, or "auto" (the first)
  EngineEffort engine_effort = EngineEffort::measure;  ///< how hard the engine searches
  Effort effort = Effort::estimate;  ///< how options that are left open are chosen
  double tuning_seconds = 30;        ///< about how long effort=measure may search
  int threads = 1;                   ///< OpenMP threads per rank
  /// The most axes that a pass transforms, 1 or 2; 0: chosen, 2 on the host and 1 on GPUs. With 2,
  /// planes of two axes that stay in the cache are transformed along both, which reads and writes
  /// memory once instead of twice.
  int axes_per_pass = 0;
  /// K: chunks of each pass before the last exchange; 0: chosen. There are at most as many chunks
  /// as the longest part of the cut axis has indices.
  int producer_chunks = 0;
  int consumer_chunks = 0;                         ///< J: chunks of the passes after it; 0: chosen
  ScheduleForm schedule = ScheduleForm::pipeline;  ///< used where there are several chunks
  /// The share of the ready blocks that each step starts, lowest consumer first. With 3/4, the last
  /// quarter waits for blocks that are needed earlier. For `split`: the share that moves first.
  double start_share = 0.75;
  StartOrder start_order = StartOrder::consumer;  ///< of blocks that are ready together
  PackOrder pack_order = PackOrder::consumer;     ///< of the numbers within a block
  /// The number of blocks of each exchange that may be in flight at a time; the others wait in the
  /// order in which they were started. 0: no bound. Without a bound, MPIs that share the link
  /// evenly among messages deliver all blocks late, even the first.
  int in_flight = 8;
  /// Who lets messages progress while a pass computes.
  ProgressPolicy progress = ProgressPolicy::adaptive;
  int poll_tiles = 4;           ///< tiles from one test to the next, for progress=poll
  Arrays arrays = Arrays::any;  ///< which arrays the plan will be given
  Wire wire = Wire::exact;      ///< the format of numbers between ranks
  /// If not 0: the largest relative L2 error of forward and backward together. The plan tries wire
  /// formats on random data, and takes the one that sends the fewest bytes within this error.
  /// `wire` then names it.
  double wire_error = 0;
  int fields = 1;  ///< the most transforms in flight at a time, each with its own buffers
  ErrorPolicy errors = ErrorPolicy::abort;  ///< what an error in a call leads to
  /// Before each call all ranks compare their calls, and whether the arguments are right, by one
  /// small reduction. A mistake of one rank, or different calls, is then the same Error on every
  /// rank, whatever `errors` says. The environment variable WEFT_CHECK=1 (on rank 0) turns it on.
  bool check_calls = false;
  /// Certifies every call: a random linear functional of the data must give the same number at both
  /// ends of every pass and exchange. A corrupted or misplaced block, a wrong MPI or a flipped bit
  /// above rounding is then an Error on every rank. The Error names the pass, or the exchange and
  /// the ranks; the plan goes on. Input with NaN, infinite numbers or numbers beyond 1e120 is not
  /// compared: the result shows these numbers without an error. The same holds for values from
  /// functions of `apply`. Planning ends with seven transforms that test the new plan. It must be
  /// linear, multiply spectra of shifted arrays by phases (c2c and r2c axes only), and undo itself.
  /// It must also give an impulse the right spectrum in all kept modes, up to rounding, including
  /// the rounding of short wires. Otherwise an Error on every rank names the test and the rank.
  /// These tests take the memory of both arrays and another spectrum. The environment variable
  /// WEFT_VERIFY=1 (on rank 0) turns it on.
  bool verify = false;
  /// A rank that has waited this long for others says so on stderr, once, with the call, the
  /// exchange and whom it waits for; 0: never.
  double stall_seconds = 30;
  /// After waiting this long it ends the job with that message; 0: never.
  double stall_limit = 0;
  /// The method between the leaders of nodes, for two_level: one of `inter_node_names()`.
  std::string inter_node = "alltoallv";
  int ranks_per_node = 0;  ///< treats this many ranks as a node; 0: nodes as they are
  Index count_limit = 0;   ///< largest count given to MPI; 0: what an int holds (lowered by tests)

  /// Parses "exchange=shared, grid=2x2, engine=mkl", where commas may be spaces; keys as printed by
  /// to_string. Throws an `Error` that names the key or value and lists the valid ones. The
  /// environment variable WEFT_OPTIONS (on rank 0) has the same form. It sets options that the
  /// program leaves at their defaults, for all plans of a job. If it is wrong, every plan is an
  /// Error.
  static Options parse(const std::string& text);
  /// These options; where they have their default values, the values of `others`.
  Options completed_by(const Options& others) const;
  /// Equal if all options are equal.
  friend bool operator==(const Options&, const Options&) = default;
};

/// The non-default settings, in the form that `parse` reads; "auto" if all are default.
WEFT_API std::string to_string(const Options& options);

/// The names that Options::parse knows.
WEFT_API std::vector<std::string> option_keys();

/// The exchange methods that work for every plan in the host's memory.
WEFT_API std::vector<std::string> exchange_names();
/// These and the methods that refuse some plans: "pairwise_in_place", and "device_p2p", which is
/// for plans on a device.
WEFT_API std::vector<std::string> all_exchange_names();
/// The methods that may serve between nodes: the methods that send packed blocks.
WEFT_API std::vector<std::string> inter_node_names();
/// The devices that this library can use here. "cpu" is the host. "emulated" and "emulated-lazy"
/// pretend to be a device, for tests: the host cannot touch their memory, and they do work later.
/// Where there are GPUs, their driver and Weft's plugin, also "cuda", "cuda:auto", "cuda:0" and so
/// on, or the same with "hip".
WEFT_API std::vector<std::string> device_names();
/// The FFT engines at hand, the default first: "weft", and "fftw" and "mkl" where they are found at
/// run time.
WEFT_API std::vector<std::string> engine_names();
/// These and "library", the FFT library of a device, which is for plans on one.
WEFT_API std::vector<std::string> all_engine_names();

}  // namespace weft
