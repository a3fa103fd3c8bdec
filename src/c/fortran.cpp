// What module weft calls besides weft.h: communicators are Fortran's integers, arrays come with
// their sizes, and texts and operators count axes from 1, the fastest first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string reversed_list(const std::string& list, char separator) {
  std::vector<std::string> parts = split(list, separator);
  std::ranges::reverse(parts);
  return fmt::format("{}", fmt::join(parts, std::string(1, separator)));
}

/// "1,2" of three axes becomes "2,1". What is no number stays, for the parser to refuse.
std::string renumbered(const std::string& list, int axes) {
  std::vector<std::string> parts = split(list, ',');
  for (std::string& part : parts) {
    int axis = 0;
    const char* const end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, axis);
    if (error != std::errc() || stop != end) continue;
    if (axis < 1 || axis > axes)
      throw Error(fmt::format("axes {}: axis {} given; valid is 1 to {}", list, axis, axes));
    part = std::to_string(axes - axis);
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

/// An array as module weft describes it.
struct FortranArray {
  void* first;
  int64_t size;  // in elements; negative where they are not contiguous
  size_t element_bytes;
};

/// The array at that end of the plan. Its type is known only by the size of its elements; the plan
/// refuses one that it cannot be.
RawArray raw_array(const weft_plan_s& plan, Side side, const FortranArray& array) {
  const void* const first = array.first;
  RawArray raw = fields_at(plan, side, {1, &first})[0];
  raw.size = std::max<Index>(array.size, 0);
  const bool is_double = raw.type.precision == Precision::double_;
  const std::size_t own = (raw.type.real ? 1 : 2) * (is_double ? sizeof(double) : sizeof(float));
  if (array.element_bytes == own) return raw;
  raw.type.precision =
      array.element_bytes == sizeof(float) ? Precision::single_ : Precision::double_;
  raw.type.real = array.element_bytes <= sizeof(double);
  return raw;
}

/// Adds to the plan's complaint what it cannot know. The plan must hear of such arrays, because
/// other ranks may wait for this one.
template <class Work>
void told(const FortranArray& in, const FortranArray& out, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    if (in.size >= 0 && out.size >= 0) throw;
    throw Error(fmt::format("{} (an array that is not contiguous counts as empty)", error.what()),
                error.cause());
  }
}

}  // namespace

std::string weft::c::reversed_axes(const std::string& text, int axes) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    while (word.ends_with(',')) word.pop_back();
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
                                       weft_layout output, double seconds) {
  return guarded([&] {
    tuned({MPI_Comm_f2c(*communicator), axes, shape, text, input, output, AxisOrder::fortran},
          seconds);
  });
}

WEFT_API weft_status weft_fortran_layout_gathered(const MPI_Fint* communicator, int axes,
                                                  const int64_t shape[], const weft_box* mine,
                                                  weft_layout* layout) {
  return weft_layout_gathered(MPI_Comm_f2c(*communicator), axes, shape, mine, layout);
}

/// Of any array of Fortran's, whose descriptor begins with the address and the length of an element
/// by the standard (ISO/IEC 1539-1:2018, 18.5.3), whatever else a compiler has in it.
WEFT_API size_t weft_fortran_element_bytes(const size_t descriptor[]) { return descriptor[1]; }

WEFT_API weft_status weft_fortran_run(weft_plan plan, weft_direction direction,
                                      const FortranArray* in, const FortranArray* out,
                                      double scale) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    const auto [from, to] = ends_of(direction);
    const RawArray source = raw_array(own, from, *in), result = raw_array(own, to, *out);
    told(*in, *out, [&] {
      own.plan.run(direction_of(direction), {&source, 1}, {&result, 1}, scale);
    });
  });
}

WEFT_API weft_status weft_fortran_start(weft_plan plan, weft_direction direction,
                                        const FortranArray* in, const FortranArray* out,
                                        double scale, weft_request* request) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    const auto [from, to] = ends_of(direction);
    const RawArray source = raw_array(own, from, *in), result = raw_array(own, to, *out);
    auto started = std::make_unique<weft_request_s>();
    told(*in, *out,
         [&] { started->handle = own.plan.start(direction_of(direction), source, result, scale); });
    *request = started.release();
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
