// Where a file can mean two things, this asks instead of choosing one: a wrong guess would give a
// plausible file of wrong numbers. NumPy's length of a half spectrum is the exception,
// and a message says so.
#include "transform_request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>
#include <weft/error.hpp>

#include "command.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

bool is_halved(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }

std::string default_kind(const RequestArguments& arguments, const npy::Header& input) {
  if (!arguments.inverse) return input.complex ? "c2c" : "r2c";
  if (!input.complex)
    throw Error(
        "--inverse of a file of real numbers needs a --kind: dct1 to dct4, dst1 to dst4, c2c, or "
        "c2r");
  throw Error(
      "--inverse needs a --kind, for the file does not tell it: c2c if it is the spectrum of "
      "complex numbers, or r2c, with --last-length N or --shape, if it is the half spectrum of "
      "real numbers");
}

/// The transform of a physical array of that shape, of numbers as the file has them.
Transform transform_of(const RequestArguments& arguments, const std::string& kind,
                       const Shape& shape, Precision precision) {
  PlanArguments plan = arguments.plan;
  plan.kind = kind;
  plan.precision = to_string(precision);
  return command::transform_of(plan, shape);
}

void check_numbers(const RequestArguments& arguments, const TransformRequest& request,
                   const npy::Header& input) {
  const Transform& transform = request.transform;
  const std::string asked =
      fmt::format("{}--kind {}", arguments.inverse ? "--inverse " : "", request.kind);
  const bool takes_reals =
      request.from_spectrum ? transform.spectral_is_real() : transform.physical_is_real();
  if (takes_reals && input.complex)
    throw Error(
        fmt::format("{} needs a file of real numbers; this one holds complex numbers: use c2c, or "
                    "--inverse --kind r2c for a half spectrum",
                    asked));
  if (request.from_spectrum && transform.physical_is_real() && !takes_reals && !input.complex)
    throw Error(
        fmt::format("{} needs a file of complex numbers, a half spectrum; this one holds real "
                    "numbers",
                    asked));
}

/// Whether the spectrum is a smaller array than the physical shape says.
bool lacks_modes(const PlanArguments& plan) {
  const auto keeps_some = [](std::string modes) {
    std::ranges::replace(modes, '_', ' ');    // "grid_64" is the library's text for "grid 64"
    return parse_modes(modes, 1) != Modes();  // any length says whether all modes are kept
  };
  return parse_dropped(plan.dropped) == Dropped::absent &&
         (!plan.ellipse.empty() ||
          (!plan.modes.empty() && std::ranges::any_of(list_of(plan.modes), keeps_some)));
}

/// The transform as far as it does not depend on the physical shape, which is not known yet.
Transform transform_in_outline(RequestArguments arguments, const std::string& kind,
                               const npy::Header& input) {
  arguments.plan.modes.clear();
  arguments.plan.ellipse.clear();
  return transform_of(arguments, kind, input.shape, input.precision);
}

/// The physical shape behind the whole spectrum in the file. The last length of a half spectrum
/// is even or odd, and its number of modes does not tell which.
Shape shape_behind(const RequestArguments& arguments, const std::vector<Kind>& kinds, Shape shape,
                   std::string& assumption) {
  for (int axis = 0; axis < shape.size(); ++axis) {
    const Index modes = shape[axis];
    if (kinds[axis] == Kind::r2c_packed) shape[axis] = 2 * modes;
    if (!is_halved(kinds[axis])) continue;
    const Index even = std::max<Index>(1, 2 * modes - 2), odd = 2 * modes - 1;
    shape[axis] = arguments.last_length > 0 ? arguments.last_length : even;
    if (shape[axis] != even && shape[axis] != odd)
      throw Error(
          fmt::format("--last-length {}: axis {} of the half spectrum has {} modes, which come "
                      "from a length of {} or {}",
                      arguments.last_length, axis, modes, even, odd));
    if (arguments.last_length == 0 && even != odd)
      assumption = fmt::format(
          "the {} modes of axis {} are taken for those of {} points, as NumPy does; {} are as "
          "possible: say which with --last-length or --shape",
          modes, axis, even, odd);
  }
  return shape;
}

/// The physical shape that --shape gives. It must fit what the file says.
Shape shape_told(const RequestArguments& arguments, const TransformRequest& request,
                 const npy::Header& input) {
  const Shape shape = parse_shape(arguments.shape);
  const std::string found = to_string(input.shape);
  if (shape.size() != input.shape.size())
    throw Error(fmt::format("--shape {}: has {} axes, and the file's array, of shape {}, has {}",
                            arguments.shape, shape.size(), found, input.shape.size()));
  if (!request.from_spectrum && shape != input.shape)
    throw Error(
        fmt::format("--shape {}: the file holds the physical array itself here, of shape {}",
                    arguments.shape, found));
  return shape;
}

Shape physical_shape(const RequestArguments& arguments, TransformRequest& request,
                     const npy::Header& input) {
  const auto& kinds = request.transform.kinds;
  if (arguments.last_length > 0 &&
      !(request.from_spectrum && std::ranges::any_of(kinds, is_halved)))
    throw Error(
        "--last-length is only for coming back from a half spectrum (--inverse --kind r2c, or "
        "--kind c2r)");
  if (arguments.last_length > 0 && !arguments.shape.empty())
    throw Error("--last-length and --shape both tell that length; give one of them");
  if (!arguments.shape.empty()) return shape_told(arguments, request, input);
  if (!request.from_spectrum) return input.shape;
  if (lacks_modes(arguments.plan))
    throw Error(
        "--shape is needed: a file that holds only kept modes (--modes, --ellipse) does not tell "
        "the "
        "shape of the physical array");
  return shape_behind(arguments, kinds, input.shape, request.assumption);
}

}  // namespace

TransformRequest request_of(const RequestArguments& arguments, const npy::Header& input) {
  TransformRequest request;
  const std::string& typed = arguments.plan.kind;
  request.kind = typed.empty() ? default_kind(arguments, input) : typed;
  request.transform = transform_in_outline(arguments, request.kind, input);
  const auto& kinds = request.transform.kinds;
  if (std::ranges::all_of(kinds, [](Kind kind) { return kind == Kind::none; }))
    throw Error("--kind none on every axis leaves nothing to do");
  const bool exchanged = std::ranges::find(kinds, Kind::c2r) != kinds.end();
  request.direction = arguments.inverse ? Direction::backward : Direction::forward;
  request.from_spectrum = arguments.inverse != exchanged;
  check_numbers(arguments, request, input);
  const Shape shape = physical_shape(arguments, request, input);
  request.transform = transform_of(arguments, request.kind, shape, input.precision);
  const Transform& transform = request.transform;
  const Shape spectrum = transform.spectral_shape();
  if (request.from_spectrum && spectrum != input.shape)
    throw Error(fmt::format("--shape {}: its spectrum has shape {}, and the file's array {}",
                            to_string(shape), to_string(spectrum), to_string(input.shape)));
  request.widen = !transform.physical_is_real() && !input.complex;
  request.output.precision = input.precision;
  request.output.shape = request.from_spectrum ? shape : spectrum;
  request.output.complex =
      request.from_spectrum ? !transform.physical_is_real() : !transform.spectral_is_real();
  request.output.data_offset = static_cast<Index>(npy::print(request.output).size());
  return request;
}

void add_request_options(Command command, RequestArguments& arguments) {
  add_transform_options(command, arguments.plan);
  command.begin_group("What to compute");
  command.add_flag("--inverse", arguments.inverse,
                   "Undo the transform, as NumPy's ifftn does, and with --kind r2c irfftn. "
                   "Needs --kind: a file of complex numbers may be the spectrum of complex "
                   "numbers (c2c) or the half spectrum of real ones (r2c)");
  command.add("--shape", arguments.shape,
              "The shape of the physical array, 197x233x189 say. Needed to come back from "
              "kept modes, whose file does not tell it");
  command.add_positive(
      "--last-length", arguments.last_length,
      "Coming back from a half spectrum of m modes: the length of the halved axis, 2m-2 "
      "(default, as NumPy; a line says so) or 2m-1. --shape tells it, too");
}

}  // namespace weft::command
