// The functions that module weft calls besides weft.h: communicators are Fortran's integers, arrays
// come with their sizes, and texts and operators count axes from 1, the fastest first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "c/handles.hpp"
#include "transform/settings.hpp"

using namespace weft;
using namespace weft::c;

namespace {

std::string reversed_list(const std::string& list, char separator) {
  std::vector<std::string> parts = parts_of(list, separator);
  std::ranges::reverse(parts);
  return fmt::format("{}", fmt::join(parts, std::string(1, separator)));
}

/// "1,3" of three axes becomes "0,2": the first of these axes, which an r2c transform halves,
/// becomes the last. A part that is no number stays, for the parser to refuse.
std::string renumbered(const std::string& list, int axes) {
  std::vector<std::string> parts = parts_of(list, ',');
  for (std::string& part : parts) {
    int axis = 0;
    const char* const end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, axis);
    if (error != std::errc() || stop != end) continue;
    if (axis < 1 || axis > axes)
      throw Error(fmt::format("axes {}: axis {} given; valid is 1 to {}", list, axis, axes));
    part = std::to_string(axes - axis);
  }
  std::ranges::reverse(parts);
  return fmt::format("{}", fmt::join(parts, ","));
}

/// An array as module weft describes it.
struct FortranArray {
  void* first;
  int64_t size;  // in elements, or one of those below
  size_t element_bytes;
};
constexpr int64_t unknown_size = -1;  // of dummies declared with (*)
constexpr int64_t not_contiguous = -2;
constexpr int64_t first_element = -3;

void require_count(const char* what, int given, int valid) {
  if (given != valid)
    throw Error(fmt::format("{}: {} entries given; valid is {}", what, given, valid));
}

std::string name_of(ElementType type) {
  if (type.plain_bytes > 0) return "elements of any type";
  return fmt::format("{} numbers in {} precision", type.real ? "real" : "complex",
                     type.precision == Precision::double_ ? "double" : "single");
}

/// The array at that end of the plan, which `what` names. Fortran tells only the size of its
/// elements, not their type.
RawArray raw_array(const weft_plan_s& plan, Side side, const FortranArray& array,
                   const char* what) {
  RawArray raw = fields_at(plan, side, {1, &array.first})[0];
  const bool has_gaps = plan.plan.layout(side).has_gaps();
  if (array.size == not_contiguous)
    throw Error(fmt::format("the {}: is not contiguous; pass {}", what,
                            has_gaps ? "its first element, u(1, 1, 1) say, in an array with the "
                                       "strides of the layout"
                                     : "a whole array or a copy"));
  if (array.element_bytes != static_cast<size_t>(raw.type.bytes()))
    throw Error(fmt::format("the {}: has elements of {} bytes; this plan's are {}, of {} bytes",
                            what, array.element_bytes, name_of(raw.type), raw.type.bytes()));
  if (array.size == first_element)
    raw.size = has_gaps ? RawArray::unknown : 1;
  else if (array.size != unknown_size)
    raw.size = array.size;
  return raw;
}

/// The arrays of a transform. The plan handles mistakes in them.
struct Call {
  Call(weft_plan_s& plan, weft_direction way, const FortranArray& source,
       const FortranArray& result) {
    checked(plan.plan, [&] {
      direction = direction_of(way);
      const auto [from, to] = ends_of(direction);
      in = raw_array(plan, from, source, "input");
      out = raw_array(plan, to, result, "output");
    });
  }

  Direction direction{};
  RawArray in;
  RawArray out;
};

}  // namespace

std::string weft::c::reversed_axes(const std::string& text, int axes) {
  std::string result;
  for (std::string word : settings_in(text)) {
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "kinds" || name == "modes" || name == "ellipse")
      word = name + "=" + reversed_list(value, ',');
    else if (name == "grid")
      word = name + "=" + reversed_list(value, 'x');
    else if (name == "axes")
      word = name + "=" + renumbered(value, axes);
    result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

extern "C" {

WEFT_API weft_status weft_fortran_plan_create(const MPI_Fint* communicator, int axes,
                                              const int64_t shape[], const char* text,
                                              weft_layout input, weft_layout output,
                                              weft_plan* plan) {
  return guarded([&] {
    create_plan({MPI_Comm_f2c(*communicator), axes, shape, text, input, output, AxisOrder::fortran},
                plan);
  });
}

WEFT_API weft_status weft_fortran_tune(const MPI_Fint* communicator, int axes,
                                       const int64_t shape[], const char* text, weft_layout input,
                                       weft_layout output, double seconds, char* buffer,
                                       size_t size) {
  return guarded([&] {
    write_tuned({MPI_Comm_f2c(*communicator), axes, shape, text, input, output, AxisOrder::fortran},
                seconds, {buffer, size, nullptr});
  });
}

WEFT_API weft_status weft_fortran_place(const MPI_Fint* communicator, int dimensions,
                                        const int grid[], const char* network, MPI_Fint* placed) {
  return guarded([&] {
    *placed = MPI_Comm_c2f(placed_ranks(
        {MPI_Comm_f2c(*communicator), dimensions, grid, network, placed, AxisOrder::fortran}));
  });
}

/// One more variable stands for the plan, which ends with the last of them.
WEFT_API void weft_fortran_plan_share(weft_plan plan) {
  if (plan != nullptr) ++plan->names;
}

/// `lower` and `upper`: how many bounds were given.
WEFT_API weft_status weft_fortran_layout_gathered(const MPI_Fint* communicator, int axes,
                                                  const int64_t shape[], int lower, int upper,
                                                  const weft_box* mine, weft_layout* layout) {
  const weft_status status = guarded([&] {
    agreed(MPI_Comm_f2c(*communicator), [&] {
      require_count("lower", lower, axes);
      require_count("upper", upper, axes);
    });
  });
  if (status != WEFT_SUCCESS) return status;
  return weft_layout_gathered(MPI_Comm_f2c(*communicator), axes, shape, mine, layout);
}

/// `counts`: how many entries of below, above and periodic were given.
WEFT_API weft_status weft_fortran_halo_create(const MPI_Fint* communicator, weft_layout layout,
                                              const int64_t below[], const int64_t above[],
                                              const int periodic[], const int counts[], int corners,
                                              size_t element_bytes, weft_halo* halo) {
  const weft_status status = guarded([&] {
    agreed(MPI_Comm_f2c(*communicator), [&] {
      const int axes = required(layout, "layout").layout.global().size();
      require_count("below", counts[0], axes);
      require_count("above", counts[1], axes);
      require_count("periodic", counts[2], axes);
    });
  });
  if (status != WEFT_SUCCESS) return status;
  return weft_halo_create(MPI_Comm_f2c(*communicator), layout, below, above, periodic, corners,
                          element_bytes, halo);
}

/// `array` is whole, with its ghost cells.
WEFT_API weft_status weft_fortran_halo_start(weft_halo halo, const FortranArray* array) {
  return guarded([&] {
    Halo& own = required(halo, "halo").halo;
    const Index bytes = own.element_bytes();
    RawArray whole;
    whole.data = static_cast<std::byte*>(array->first) + own.offset() * bytes;
    whole.type.plain_bytes = static_cast<int>(array->element_bytes);
    if (array->size == not_contiguous)
      whole.mistake = "is not contiguous; pass a whole array";
    else if (array->size != unknown_size && !own.box().empty() && array->size != own.allocated())
      whole.mistake = "has another size than this rank's box with its ghost cells";
    own.start(whole);
  });
}

/// Keeps the sentence of a mistake that the module has found.
WEFT_API weft_status weft_fortran_mistake(const char* sentence) {
  return guarded([&] { throw Error(sentence); });
}

/// Whether there is an edge for each axis. Collective.
WEFT_API weft_status weft_fortran_check_lengths(weft_plan plan, int count) {
  return with_plan(plan, [&](const Plan& own) {
    own.agree([&] { require_count("lengths", count, own.transform().shape.size()); });
  });
}

WEFT_API weft_status weft_fortran_describe_ranks(int axes, const int64_t shape[], const char* text,
                                                 int ranks, int ranks_per_node, char* buffer,
                                                 size_t size, size_t* length) {
  return guarded([&] {
    write_description({MPI_COMM_NULL, axes, shape, text, nullptr, nullptr, AxisOrder::fortran},
                      ranks, ranks_per_node, {buffer, size, length});
  });
}

WEFT_API weft_status weft_fortran_plan_text(weft_plan plan, char* buffer, size_t size,
                                            size_t* length) {
  return with_plan(plan, [&](const Plan& own) {
    TextBuffer{buffer, size, length}.write(
        reversed_axes(choices_of(own), own.transform().shape.size()));
  });
}

/// Of any array of Fortran's, whose descriptor begins with the address and the length of an element
/// by the standard (ISO/IEC 1539-1:2018, 18.5.3), whatever else a compiler has in it.
WEFT_API size_t weft_fortran_element_bytes(const size_t descriptor[]) { return descriptor[1]; }

WEFT_API weft_status weft_fortran_run(weft_plan plan, weft_direction direction,
                                      const FortranArray* in, const FortranArray* out,
                                      double scale) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    const Call call(own, direction, *in, *out);
    own.plan.run(call.direction, {&call.in, 1}, {&call.out, 1}, scale);
  });
}

WEFT_API weft_status weft_fortran_run_fields(weft_plan plan, weft_direction direction, int inputs,
                                             const void* const in[], int outputs, void* const out[],
                                             double scale) {
  return guarded([&] { run(plan, direction, {inputs, in}, {outputs, out}, scale); });
}

WEFT_API weft_status weft_fortran_apply_each(weft_plan plan, const void* in, int outputs,
                                             void* const out[], int count,
                                             const weft_line_function functions[],
                                             void* const users[]) {
  return guarded([&] { apply_each(plan, in, {outputs, out}, count, functions, users); });
}

WEFT_API weft_status weft_fortran_start(weft_plan plan, weft_direction direction,
                                        const FortranArray* in, const FortranArray* out,
                                        double scale, weft_request* request) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    const Call call(own, direction, *in, *out);
    auto started = std::make_unique<weft_request_s>();
    started->handle = own.plan.start(call.direction, call.in, call.out, scale);
    *request = started.release();
  });
}

/// Throws unless the array can be the plan's at that end. For calls that get only its address.
/// Collective.
WEFT_API weft_status weft_fortran_check_array(weft_plan plan, weft_side side,
                                              const FortranArray* array) {
  return guarded([&] {
    const weft_plan_s& own = required(plan, "plan");
    own.plan.agree([&] {
      const Side end = side_of(side);
      const Index needed = own.plan.layout(end).allocated(own.plan.rank());
      const Index given = raw_array(own, end, *array, "array").size;
      if (given != RawArray::unknown && given < needed)
        throw Error(fmt::format("the array: has {} elements; this rank needs {}", given, needed));
    });
  });
}

WEFT_API weft_status weft_fortran_apply_operator(weft_plan plan, const char* name,
                                                 const double lengths[], int inputs,
                                                 const void* const in[], int outputs,
                                                 void* const out[]) {
  return guarded([&] {
    apply_operator(plan, name, lengths, {inputs, in}, {outputs, out}, AxisOrder::fortran);
  });
}

}  // extern "C"
