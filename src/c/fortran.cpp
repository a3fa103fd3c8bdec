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

WEFT_API weft_status weft_fortran_run(weft_plan plan, weft_direction direction, int fields,
                                      const void* const in[], const int64_t in_sizes[],
                                      void* const out[], const int64_t out_sizes[], double scale) {
  return guarded([&] {
    run(plan, direction, {fields, in, in_sizes}, {fields, out, out_sizes}, scale);
  });
}

WEFT_API weft_status weft_fortran_start(weft_plan plan, weft_direction direction, const void* in,
                                        int64_t in_size, void* out, int64_t out_size, double scale,
                                        weft_request* request) {
  return guarded([&] {
    start(plan, direction, {1, &in, &in_size}, {1, &out, &out_size}, scale, request);
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
