// `weft transform`: from a .npy file to a .npy file, each rank reading and writing its own box.
// Layouts follow the files, so that reading and writing stream; the exchange that this may cost is
// the cheaper.
#include <fmt/ranges.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "command.hpp"
#include "npy.hpp"
#include "parallel_file.hpp"
#include "plan_arguments.hpp"
#include "plan_array.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "samples.hpp"
#include "temporary_file.hpp"
#include "text.hpp"
#include "transform_request.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string input;
  std::string output;
  bool overwrite = false;
  bool quiet = false;
  Index piece_bytes = ParallelFile::default_piece_bytes;
  RequestArguments what;
};

/// If any of this differs later, the file was changed meanwhile. Only rank 0 looks.
struct FileState {
  std::uintmax_t bytes = 0;
  std::filesystem::file_time_type written;
  friend bool operator==(const FileState&, const FileState&) = default;
};

/// All that is decided before any array exists; the same on every rank, but for the state.
struct TransformTask {
  npy::Header input;
  FileState input_state;
  TransformRequest request;
  Options options;
  Layout input_layout;
  Layout output_layout;
};

/// Seconds that each part took.
struct Times {
  double planning = 0;
  double reading = 0;
  double transforming = 0;
  double writing = 0;
};

// --- The input's header -------------------------------------------------------------------------

/// Rank 0 alone looks at the file: ten thousand ranks need not parse the same bytes.
npy::Header read_header(const std::string& path) {
  std::error_code missing;
  const auto status = std::filesystem::status(path, missing);
  if (!std::filesystem::exists(status)) throw Error("no such file");
  if (!std::filesystem::is_regular_file(status)) throw Error("not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("no permission to read it");
  std::string text(npy::preamble_bytes, '\0');
  file.read(text.data(), npy::preamble_bytes);
  text.resize(file.gcount());
  const Index bytes = npy::header_bytes(text);
  text.resize(bytes);
  file.clear();
  file.seekg(0).read(text.data(), bytes);
  text.resize(file.gcount());
  return npy::parse(text);
}

void check_size(const npy::Header& header, Index bytes) {
  const Index expected = header.file_bytes();
  if (bytes == expected) return;
  throw Error(
      fmt::format("it is {} bytes {} than its header says: {} instead of {} for {} numbers of "
                  "shape {}",
                  bytes < expected ? expected - bytes : bytes - expected,
                  bytes < expected ? "shorter" : "longer", bytes, expected, header.type_name(),
                  to_string(header.shape)));
}

FileState state_of(const std::string& path) {
  return {std::filesystem::file_size(path), std::filesystem::last_write_time(path)};
}

/// Throws an Error if the result would replace the input.
void check_overwrite(const Arguments& arguments) {
  std::error_code missing;
  if (!arguments.overwrite &&
      std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw Error(
        fmt::format("{} is the file {} itself: give --overwrite to replace it, or name another "
                    "file",
                    arguments.output, arguments.input));
}

void check_names(const Arguments& arguments) {
  for (const auto& [argument, name] :
       {std::pair{"IN", &arguments.input}, {"OUT", &arguments.output}})
    if (name->empty())
      throw Error(fmt::format("{} is empty: it must be the name of a file", argument));
}

void look_at_input(const Arguments& arguments, MPI_Comm communicator, TransformTask& task) {
  agree(communicator, [&] {
    if (rank_in(communicator) != 0) return;
    check_names(arguments);
    check_overwrite(arguments);
    try {
      task.input = read_header(arguments.input);
      task.input_state = state_of(arguments.input);
      check_size(task.input, static_cast<Index>(task.input_state.bytes));
    } catch (const std::exception& error) {
      throw Error(fmt::format("cannot read {}: {}", arguments.input, error.what()));
    }
  });
  MPI_Bcast(&task.input, sizeof(task.input), MPI_BYTE, 0, communicator);
}

/// Throws if somebody wrote into the input after `look_at_input`.
void check_unchanged(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator) {
  agree(communicator, [&] {
    if (rank_in(communicator) != 0) return;
    FileState now;
    try {
      now = state_of(arguments.input);
    } catch (const std::exception& error) {
      throw Error(fmt::format("cannot read {}: {}", arguments.input, error.what()));
    }
    if (now != task.input_state)
      throw Error(
          fmt::format("cannot read {}: another program changed it meanwhile", arguments.input));
  });
}

// --- Who holds what -----------------------------------------------------------------------------

/// The axes from the slowest to the fastest in the file.
Order file_order(const npy::Header& header) {
  Order order = natural_order(header.shape.size());
  if (header.fortran_order) std::reverse(order.begin(), order.end());
  return order;
}

/// The process grid p x q over the two slowest axes of the file: one that shares the work evenly,
/// and of those the one with the longest runs in the file (slabs, where there are enough planes).
Layout even_layout(const Shape& shape, const Order& order, int ranks) {
  const int slow = order[0];
  const int next = order[std::min(1, order.size() - 1)];
  const auto share = [&](int p) {
    const Index q = ranks / p;
    if (slow == next) return q == 1 ? (shape[slow] + p - 1) / p : shape[slow];
    return ((shape[slow] + p - 1) / p) * ((shape[next] + q - 1) / q);
  };
  int best = ranks;
  for (int p = ranks - 1; p > 0; --p)
    if (ranks % p == 0 && 1.1 * static_cast<double>(share(p)) < static_cast<double>(share(best)))
      best = p;
  if (best == ranks) return Layout::slabs(shape, ranks, slow);
  PerAxis<std::vector<int>> split = PerAxis<std::vector<int>>::filled(shape.size(), {});
  split[slow] = {0};
  split[next] = {1};
  return Layout::grid(shape, {best, ranks / best}, split);
}

/// A grid of that many dimensions, the caller's or an even one.
PerAxis<int> grid_of(const Options& options, int ranks, int dimensions) {
  std::vector<int> grid = options.grid;
  if (grid.empty()) {
    grid.assign(dimensions, 0);
    MPI_Dims_create(ranks, dimensions, grid.data());
  }
  Index product = 1;
  for (const int count : grid) product *= count;
  if (product != ranks)
    throw Error(fmt::format("grid {}: is for {} ranks; this job has {}", fmt::join(grid, "x"),
                            product, ranks));
  return PerAxis<int>(grid.begin(), grid.end());
}

/// The layout of a file's array, in the file's order, so that it is read and written straight.
Layout file_layout(const npy::Header& header, const Options& options, int ranks) {
  const Order order = file_order(header);
  const int axes = header.shape.size();
  const auto make = [&] {
    switch (options.decomposition) {
      case Decomposition::slab:
        return Layout::slabs(header.shape, ranks, order[0]);
      case Decomposition::pencil:
        return Layout::pencils(header.shape, grid_of(options, ranks, 2), order.back());
      case Decomposition::brick:
        return Layout::bricks(header.shape, grid_of(options, ranks, axes));
      case Decomposition::cyclic:
      case Decomposition::any:
        throw Error(fmt::format(
            "decomposition={}: ranks read and write ranges of indices; valid are automatic, slab, "
            "pencil and brick",
            to_string(options.decomposition)));
      case Decomposition::automatic:
        break;
    }
    return even_layout(header.shape, order, ranks);
  };
  return make().ordered(order);
}

/// Everything follows from the header and the arguments, so every rank decides alike.
TransformTask plan_task(const Arguments& arguments, MPI_Comm communicator) {
  TransformTask task;
  look_at_input(arguments, communicator, task);
  task.request = request_of(arguments.what, task.input);
  // One transform does not repay a search for the fastest plan; and it runs between the plan's
  // arrays.
  task.options = options_of(arguments.what.plan, "engine_effort=estimate, arrays=plan");
  const int ranks = ranks_in(communicator);
  task.input_layout = file_layout(task.input, task.options, ranks);
  task.output_layout = file_layout(task.request.output, task.options, ranks);
  return task;
}

// --- From file to file --------------------------------------------------------------------------

/// The array as it lies in the file, and a box of it: slowest axis first.
FileArray file_array(const npy::Header& header) {
  FileArray array{header.data_offset, {}, header.element_bytes()};
  for (const int axis : file_order(header)) array.shape.push_back(header.shape[axis]);
  return array;
}

Box file_box(const npy::Header& header, const Box& box) {
  Box result;
  for (const int axis : file_order(header)) {
    result.lower.push_back(box.lower[axis]);
    result.upper.push_back(box.upper[axis]);
  }
  return result;
}

/// Moves `count` real numbers that lie in the second half of the array to every second place.
template <class Real>
void widen(std::complex<Real>* array, Index count) {
  const Real* numbers = reinterpret_cast<const Real*>(array) + count;
  for (Index i = 0; i < count; ++i) {
    const Real number = numbers[i];
    array[i] = {number, 0};
  }
}

/// Reads this rank's box, as the numbers that the transform takes. The file's narrower numbers lie
/// at the end of the array until they are converted.
template <class Element>
void read_array(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator,
                Array<Element>& array) {
  using Real = decltype(std::real(Element{}));
  const Index count = array.size();
  const Index parts = task.input.complex ? 2 : 1;
  auto* const end = reinterpret_cast<char*>(array.data() + count);
  auto* const data = end - count * task.input.element_bytes();
  ParallelFile file(communicator, arguments.input);
  {
    Progress progress("reading", count * task.input.element_bytes(), communicator);
    file.read(
        file_array(task.input), file_box(task.input, array.box()), data,
        [&](Index moved) { progress.advance(moved); }, arguments.piece_bytes);
  }
  check_unchanged(task, arguments, communicator);
  if (!task.input.is_native())
    npy::swap_bytes(data, count * parts, task.input.element_bytes() / parts);
  if (task.input.stored_bytes > 0)
    npy::convert(task.input, data, reinterpret_cast<Real*>(end) - count, count);
  if constexpr (!std::is_floating_point_v<Element>)
    if (task.request.widen) widen(array.data(), count);
}

template <class Element>
void write_array(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator,
                 const Array<Element>& array, TemporaryFile& temporary) {
  ParallelFile file(communicator, temporary);
  file.write_start(npy::print(task.request.output));
  {
    Progress progress("writing", array.size() * task.request.output.element_bytes(), communicator);
    file.write(
        file_array(task.request.output), file_box(task.request.output, array.box()), array.data(),
        [&](Index moved) { progress.advance(moved); }, arguments.piece_bytes);
  }
  Progress progress("bringing it to the disk", 0, communicator);
  file.sync_and_close();
  temporary.publish();
}

void print_summary(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator,
                   const Plan& plan, const Times& times) {
  if (rank_in(communicator) != 0 || arguments.quiet) return;
  const TransformRequest& request = task.request;
  const std::string& chosen = arguments.what.plan.axes;
  const std::string axes = chosen.empty() ? "" : fmt::format(" (axes {})", chosen);
  fmt::print("{} -> {}\n", without_controls(arguments.input), without_controls(arguments.output));
  fmt::print("  {} {}{}: {} {} -> {} {}\n",
             request.direction == Direction::backward ? "inverse" : "forward", request.kind, axes,
             to_string(task.input.shape), task.input.type_name(), to_string(request.output.shape),
             request.output.type_name());
  fmt::print("  {} x {}, device {}, engine {}, exchange {}\n",
             counted(ranks_in(communicator), "rank"), counted(task.options.threads, "thread"),
             task.options.device, plan.engine(), exchanges_of(plan));
  fmt::print("  planning {:.2f} s, reading {:.2f} s, transform {:.3f} s, writing {:.2f} s\n",
             times.planning, times.reading, times.transforming, times.writing);
}

/// `Input` and `Output` are the elements of the plan's two ends, which backward goes between the
/// other way round.
template <class Input, class Output>
void transform_file(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator,
                    TemporaryFile& temporary) {
  Times times;
  const bool backward = task.request.direction == Direction::backward;
  std::unique_ptr<Plan> plan;
  times.planning = seconds_per_step(communicator, 1, [&] {
    Progress progress("planning", 0, communicator);
    const Layout& near = backward ? task.output_layout : task.input_layout;
    const Layout& far = backward ? task.input_layout : task.output_layout;
    plan = std::make_unique<Plan>(communicator, task.request.transform, near, far, task.options);
  });
  PlanArray<Input> near(*plan, Side::input);
  PlanArray<Output> far(*plan, Side::output);
  times.reading = seconds_per_step(communicator, 1, [&] {
    if (backward) return read_array(task, arguments, communicator, far.seen());
    read_array(task, arguments, communicator, near.seen());
  });
  times.transforming = seconds_per_step(communicator, 1, [&] {
    Progress progress("transforming", 0, communicator);
    backward ? far.send() : near.send();
    backward ? plan->backward(far.own(), near.own()) : plan->forward(near.own(), far.own());
    backward ? near.fetch() : far.fetch();
  });
  times.writing = seconds_per_step(communicator, 1, [&] {
    if (backward) return write_array(task, arguments, communicator, near.seen(), temporary);
    write_array(task, arguments, communicator, far.seen(), temporary);
  });
  print_summary(task, arguments, communicator, *plan, times);
}

template <class Real>
void transform_file_of(const TransformTask& task, const Arguments& arguments, MPI_Comm communicator,
                       TemporaryFile& temporary) {
  using Complex = std::complex<Real>;
  const TransformRequest& request = task.request;
  // An r2c plan, or a c2r one, whose input is the spectrum.
  const bool from_spectrum = request.from_spectrum == (request.direction == Direction::forward);
  if (!request.transform.physical_is_real())
    transform_file<Complex, Complex>(task, arguments, communicator, temporary);
  else if (request.transform.spectral_is_real())
    transform_file<Real, Real>(task, arguments, communicator, temporary);
  else if (from_spectrum)
    transform_file<Complex, Real>(task, arguments, communicator, temporary);
  else
    transform_file<Real, Complex>(task, arguments, communicator, temporary);
}

void run(const Arguments& arguments, MPI_Comm communicator) {
  const TransformTask task = plan_task(arguments, communicator);
  const TransformRequest& request = task.request;
  if (rank_in(communicator) == 0 && !arguments.quiet && !request.assumption.empty())
    fmt::print(stderr, "weft: {}\n", request.assumption);
  TemporaryFile temporary(communicator, arguments.output, request.output.file_bytes());
  if (request.transform.precision == Precision::single_)
    transform_file_of<float>(task, arguments, communicator, temporary);
  else
    transform_file_of<double>(task, arguments, communicator, temporary);
}

void add_options(Command command, Arguments& arguments) {
  command
      .add(
          "IN.npy", arguments.input,
          "The file to read: float16 to float64, complex64 or complex128, integers or truth values "
          "(taken as float64), of either byte order, in C or Fortran order")
      .required()
      .names_file();
  command
      .add("OUT.npy", arguments.output,
           "The file to write, in C order. One that exists is replaced only when all went "
           "well, and keeps its mode; a write-protected one is an error. Links are followed")
      .required()
      .names_file();
  command.add_flag("--overwrite", arguments.overwrite, "Allow OUT.npy to be IN.npy itself");
  command.add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors");
  // For tests: "" keeps it out of the help.
  command.add("--piece-bytes", arguments.piece_bytes, "").positive().hidden();
  add_request_options(command, arguments.what);
  add_execution_options(command, arguments.what.plan);
}

}  // namespace

void add_transform(Command program, Action& chosen) {
  const auto [command, arguments] = add_subcommand<Arguments>(
      program, chosen, "transform",
      "Transform a NumPy file that may be too large for one rank, into another one.\n"
      "Real numbers give a half spectrum (r2c, as rfftn), complex ones c2c (as fftn), unless "
      "--kind\n"
      "says otherwise. The way back is the same --kind with --inverse.",
      run);
  add_options(command, *arguments);
  command.footer(
      "Example: to the spectrum and back, on eight ranks; and by way of the modes of the 2/3 rule\n"
      "  mpiexec -n 8 weft transform field.npy spectrum.npy\n"
      "  mpiexec -n 8 weft transform --inverse --kind r2c spectrum.npy field.npy\n"
      "  mpiexec -n 8 weft transform --modes 2/3 field.npy kept.npy\n"
      "  mpiexec -n 8 weft transform --inverse --kind r2c --modes 2/3 --shape 197x233x189 kept.npy "
      "field.npy\n\n"
      "The result is written to OUT.npy.weft-... first. What a killed job left under such a name "
      "is "
      "removed\n"
      "by the next job that writes the same OUT.npy on the same host.\n");
}

}  // namespace weft::command
