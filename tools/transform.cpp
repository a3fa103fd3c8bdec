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
#include "progress.hpp"
#include "ranks.hpp"
#include "samples.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

struct Arguments {
  std::string input;
  std::string output;
  bool inverse = false;
  Index last_length = 0;
  bool quiet = false;
  Index piece_bytes = ParallelFile::default_piece_bytes;
  PlanArguments plan;
};

/// All that is decided before any array exists; the same on every rank.
struct Job {
  npy::Header input;
  npy::Header output;
  Kind kind = Kind::none;
  Transform transform;
  Options options;
  bool inverse = false;  ///< from the spectrum to the physical array
  bool widen = false;    ///< a real file for a transform of complex numbers
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

npy::Header agreed_header(const std::string& path, MPI_Comm communicator) {
  npy::Header header;
  agree_on(communicator, [&] {
    if (rank_in(communicator) != 0) return;
    try {
      header = read_header(path);
      check_size(header, static_cast<Index>(std::filesystem::file_size(path)));
    } catch (const std::exception& error) {
      throw Error(fmt::format("cannot read {}: {}", path, error.what()));
    }
  });
  MPI_Bcast(&header, sizeof(header), MPI_BYTE, 0, communicator);
  return header;
}

// --- What to compute ----------------------------------------------------------------------------

/// The kind as a plan knows it: what turns c2r round is r2c backward.
Kind kind_of(const Arguments& arguments, const npy::Header& input, bool& inverse) {
  if (arguments.plan.kind.empty()) {
    if (!input.complex && inverse)
      throw Error(
          "--inverse of a file of real numbers needs a --kind: dct1 to dct4, dst1 to dst4, or "
          "c2c");
    return input.complex ? Kind::c2c : Kind::r2c;
  }
  const Kind kind = parse_kind(arguments.plan.kind);
  if (kind == Kind::none) throw Error("--kind none leaves nothing to do");
  if (kind == Kind::c2r) inverse = true;
  return kind == Kind::c2r ? Kind::r2c : kind;
}

void check_numbers(Kind kind, const npy::Header& input, bool inverse) {
  const bool half_spectrum = kind == Kind::r2c && inverse;
  if (half_spectrum && !input.complex)
    throw Error(
        "--kind c2r (or the inverse of r2c) needs a file of complex numbers, a half spectrum; "
        "this one holds real numbers");
  if (input.complex && !half_spectrum && kind != Kind::c2c)
    throw Error(
        fmt::format("--kind {} needs a file of real numbers; this one holds complex numbers: "
                    "use c2c, or c2r for a half spectrum",
                    to_string(kind)));
}

/// The physical shape behind a half spectrum, whose last length does not tell even from odd.
Shape whole_shape(Shape shape, int halved, Index last_length) {
  const Index modes = shape[halved];
  const Index length = last_length > 0 ? last_length : 2 * (modes - 1);
  if (length < 1 || length / 2 + 1 != modes)
    throw Error(
        fmt::format("--last-length {}: axis {} of the half spectrum has {} modes, which come "
                    "from a length of {} or {}",
                    length, halved, modes, std::max<Index>(1, 2 * modes - 2), 2 * modes - 1));
  shape[halved] = length;
  return shape;
}

/// The transform of an array of that physical shape, of the numbers in the file.
Transform transform_of(const Arguments& arguments, Kind kind, const Shape& shape,
                       Precision precision) {
  PlanArguments plan = arguments.plan;
  plan.kind = to_string(kind);
  plan.precision = to_string(precision);
  const Transform transform = command::transform_of(plan, shape);
  if (arguments.inverse &&
      transform.spectral_shape() != Transform(transform.shape, transform.kinds).spectral_shape())
    throw Error(
        "--inverse with --modes: a file of the kept modes alone does not tell the shape; use "
        "--dropped zero on the way there and back");
  return transform;
}

void set_transform(Job& job, const Arguments& arguments) {
  job.inverse = arguments.inverse;
  job.kind = kind_of(arguments, job.input, job.inverse);
  const Kind kind = job.kind;
  check_numbers(kind, job.input, job.inverse);
  job.transform = transform_of(arguments, kind, job.input.shape, job.input.precision);
  if (kind == Kind::r2c && job.inverse) {
    const auto halved = std::ranges::find(job.transform.kinds, Kind::r2c);
    const int axis = static_cast<int>(halved - job.transform.kinds.begin());
    job.transform =
        transform_of(arguments, kind, whole_shape(job.input.shape, axis, arguments.last_length),
                     job.input.precision);
  } else if (arguments.last_length > 0) {
    throw Error("--last-length is for the inverse of a half spectrum alone (--kind c2r)");
  }
  validate(job.transform);
  job.widen = kind == Kind::c2c && !job.input.complex;
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
      case Decomposition::automatic:
        break;
    }
    return even_layout(header.shape, order, ranks);
  };
  return make().ordered(order);
}

/// Everything follows from the header and the arguments, so every rank decides alike.
Job plan_job(const npy::Header& input, const Arguments& arguments, int ranks) {
  Job job;
  job.input = input;
  set_transform(job, arguments);
  // One transform does not repay a search for the fastest plan; and it runs between the plan's
  // arrays.
  job.options = options_of(arguments.plan, "engine_effort=estimate, arrays=plan");
  job.output.precision = input.precision;
  job.output.shape = job.inverse ? job.transform.shape : job.transform.spectral_shape();
  job.output.complex =
      !(job.inverse ? job.transform.physical_is_real() : job.transform.spectral_is_real());
  job.output.data_offset = static_cast<Index>(npy::print(job.output).size());
  job.input_layout = file_layout(job.input, job.options, ranks);
  job.output_layout = file_layout(job.output, job.options, ranks);
  return job;
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

/// Reads this rank's box, as the numbers that the transform takes.
template <class Element>
void read_array(const Job& job, const Arguments& arguments, MPI_Comm communicator,
                Array<Element>& array) {
  const Index count = array.size();
  auto* data = reinterpret_cast<char*>(array.data());
  if (job.widen) data += count * job.input.element_bytes();
  ParallelFile file(communicator, arguments.input, ParallelFile::Mode::read);
  const Index bytes = file.bytes();
  agree_on(communicator, [&] { check_size(job.input, bytes); });
  {
    Progress progress("reading", count * job.input.element_bytes(), communicator);
    file.read(
        file_array(job.input), file_box(job.input, array.box()), data,
        [&](Index moved) { progress.advance(moved); }, arguments.piece_bytes);
  }
  const Index parts = job.input.complex ? 2 : 1;
  if (!job.input.is_native())
    npy::swap_bytes(data, count * parts, job.input.element_bytes() / parts);
  if constexpr (!std::is_floating_point_v<Element>)
    if (job.widen) widen(array.data(), count);
}

template <class Element>
void write_array(const Job& job, const Arguments& arguments, MPI_Comm communicator,
                 const Array<Element>& array, TemporaryFile& temporary) {
  ParallelFile file(communicator, temporary.path(), ParallelFile::Mode::write);
  file.write_start(npy::print(job.output));
  {
    Progress progress("writing", array.size() * job.output.element_bytes(), communicator);
    file.write(
        file_array(job.output), file_box(job.output, array.box()), array.data(),
        [&](Index moved) { progress.advance(moved); }, arguments.piece_bytes);
  }
  Progress progress("bringing it to the disk", 0, communicator);
  file.sync_and_close();
  temporary.publish();
}

void print_summary(const Job& job, const Arguments& arguments, MPI_Comm communicator,
                   const Plan& plan, const Times& times) {
  if (rank_in(communicator) != 0 || arguments.quiet) return;
  const std::string& chosen = arguments.plan.axes;
  const std::string axes = chosen.empty() ? "" : fmt::format(" (axes {})", chosen);
  fmt::print("{} -> {}\n", arguments.input, arguments.output);
  fmt::print("  {} {}{}: {} {} -> {} {}\n", job.inverse ? "inverse" : "forward",
             to_string(job.kind), axes, to_string(job.input.shape), job.input.type_name(),
             to_string(job.output.shape), job.output.type_name());
  fmt::print("  {} x {}, engine {}, exchange {}\n", counted(ranks_in(communicator), "rank"),
             counted(job.options.threads, "thread"), plan.engine(), exchanges_of(plan));
  fmt::print("  planning {:.2f} s, reading {:.2f} s, transform {:.3f} s, writing {:.2f} s\n",
             times.planning, times.reading, times.transforming, times.writing);
}

template <class Physical, class Spectral>
void transform_file(const Job& job, const Arguments& arguments, MPI_Comm communicator,
                    TemporaryFile& temporary) {
  Times times;
  std::unique_ptr<Plan> plan;
  times.planning = seconds_per_step(communicator, 1, [&] {
    Progress progress("planning", 0, communicator);
    const Layout& physical = job.inverse ? job.output_layout : job.input_layout;
    const Layout& spectral = job.inverse ? job.input_layout : job.output_layout;
    plan = std::make_unique<Plan>(communicator, job.transform, physical, spectral, job.options);
  });
  auto physical = plan->input<Physical>();
  auto spectral = plan->output<Spectral>();
  times.reading = seconds_per_step(communicator, 1, [&] {
    if (job.inverse) return read_array(job, arguments, communicator, spectral);
    read_array(job, arguments, communicator, physical);
  });
  times.transforming = seconds_per_step(communicator, 1, [&] {
    Progress progress("transforming", 0, communicator);
    if (job.inverse) return plan->backward(spectral, physical);
    plan->forward(physical, spectral);
  });
  times.writing = seconds_per_step(communicator, 1, [&] {
    if (job.inverse) return write_array(job, arguments, communicator, physical, temporary);
    write_array(job, arguments, communicator, spectral, temporary);
  });
  print_summary(job, arguments, communicator, *plan, times);
}

template <class Real>
void transform_file_of(const Job& job, const Arguments& arguments, MPI_Comm communicator,
                       TemporaryFile& temporary) {
  using Complex = std::complex<Real>;
  if (!job.transform.physical_is_real())
    transform_file<Complex, Complex>(job, arguments, communicator, temporary);
  else if (!job.transform.spectral_is_real())
    transform_file<Real, Complex>(job, arguments, communicator, temporary);
  else
    transform_file<Real, Real>(job, arguments, communicator, temporary);
}

void run(const Arguments& arguments, MPI_Comm communicator) {
  const npy::Header header = agreed_header(arguments.input, communicator);
  const Job job = plan_job(header, arguments, ranks_in(communicator));
  TemporaryFile temporary(communicator, arguments.output, job.output.file_bytes());
  if (job.transform.precision == Precision::single_)
    transform_file_of<float>(job, arguments, communicator, temporary);
  else
    transform_file_of<double>(job, arguments, communicator, temporary);
}

void add_options(CLI::App& command, Arguments& arguments) {
  command
      .add_option("IN.npy", arguments.input,
                  "The file to read: float32, float64, complex64 or complex128, of either byte "
                  "order, in C or Fortran order")
      ->required();
  command
      .add_option("OUT.npy", arguments.output,
                  "The file to write, in C order; replaced only when all went well")
      ->required();
  command.add_flag("--inverse", arguments.inverse,
                   "Undo the transform instead, as NumPy's ifftn and irfftn do");
  add_positive(command, "--last-length", arguments.last_length,
               "Length of the halved axis of the result, for the inverse of a half spectrum of m "
               "modes: 2m-2 (default) or 2m-1");
  command.add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors");
  // For tests: "" keeps it out of the help.
  command.add_option("--piece-bytes", arguments.piece_bytes)->check(CLI::PositiveNumber)->group("");
  add_transform_options(command, arguments.plan);
  add_execution_options(command, arguments.plan);
}

}  // namespace

void add_transform(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = add_subcommand(
      program, chosen, "transform",
      "Transform a NumPy file that may be too large for one rank, into another one.\n"
      "Real numbers give a half spectrum (r2c, as rfftn), complex ones c2c (as fftn), unless "
      "--kind\n"
      "says otherwise.",
      arguments, run);
  add_options(command, *arguments);
  command.footer(
      "Example: to the spectrum and back, on eight ranks\n"
      "  mpiexec -n 8 weft transform field.npy spectrum.npy\n"
      "  mpiexec -n 8 weft transform --kind c2r spectrum.npy field.npy\n");
}

}  // namespace weft::command
