// The conversions between C and C++ that several calls need.
#include "c/handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "mpi/communicator.hpp"

namespace weft::c {
namespace {

thread_local std::string last_sentence;

weft_status keep(Error::Cause cause, const char* sentence) noexcept {
  try {
    last_sentence = sentence;
  } catch (const std::bad_alloc&) {
    last_sentence.clear();
  }
  constexpr weft_status statuses[] = {WEFT_ERROR_ARGUMENT, WEFT_ERROR_MPI, WEFT_ERROR_MEMORY,
                                      WEFT_ERROR_DATA, WEFT_ERROR_INTERNAL};
  return statuses[static_cast<std::size_t>(cause)];
}

}  // namespace

weft_status keep_exception() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    return keep(cause_of(error), error.what());
  } catch (...) {
    return keep(Error::Cause::internal, "an exception that is not a std::exception");
  }
}

void agreed(MPI_Comm communicator, const std::function<void()>& work) {
  agree(Communicator::duplicate(communicator), work);
}

Side side_of(weft_side side) {
  if (side != WEFT_INPUT && side != WEFT_OUTPUT)
    throw Error(fmt::format("side: {}; valid are WEFT_INPUT and WEFT_OUTPUT", int{side}));
  return side == WEFT_INPUT ? Side::input : Side::output;
}

Direction direction_of(weft_direction direction) {
  if (direction != WEFT_FORWARD && direction != WEFT_BACKWARD)
    throw Error(fmt::format("direction: {}; valid are WEFT_FORWARD and WEFT_BACKWARD",
                            static_cast<int>(direction)));
  return direction == WEFT_FORWARD ? Direction::forward : Direction::backward;
}

Shape shape_of(int axes, const int64_t shape[]) {
  if (axes < 1 || axes > max_axes)
    throw Error(fmt::format("axes: {}; valid is 1 to {}", axes, max_axes));
  return Shape(&required(shape, "shape"), shape + axes);
}

int axis_of(int axis, int axes) {
  if (axis < -axes || axis >= axes)
    throw Error(fmt::format("axis: {}; valid is {} to {}", axis, -axes, axes - 1));
  return axis < 0 ? axis + axes : axis;
}

Box box_of(const weft_box& box) {
  if (box.axes < 1 || box.axes > max_axes)
    throw Error(fmt::format("box: has {} axes; valid is 1 to {}", box.axes, max_axes));
  return {Point(box.lower, box.lower + box.axes), Point(box.upper, box.upper + box.axes)};
}

weft_box box_of(const Box& box) {
  weft_box result{};
  result.axes = box.axes();
  std::copy(box.lower.begin(), box.lower.end(), result.lower);
  std::copy(box.upper.begin(), box.upper.end(), result.upper);
  return result;
}

Box box_of(const Layout& layout, int rank) {
  if (rank < 0 || rank >= layout.ranks())
    throw Error(fmt::format("rank: {}; the layout has {} ranks", rank, layout.ranks()));
  return layout.box(rank);
}

weft_part part_of(const Layout& layout, int rank) {
  const Box box = box_of(layout, rank);
  const PerAxis<Index> strides = layout.strides(rank);
  weft_part part{};
  part.box = box_of(box);
  for (int axis = 0; axis < box.axes(); ++axis) {
    const bool is_dealt = layout.is_dealt(axis) && !box.empty();
    part.first[axis] = is_dealt ? layout.index_at(axis, box.lower[axis]) : box.lower[axis];
    const bool is_scrambled = layout.is_scrambled(axis);
    part.step[axis] = !is_dealt ? 1 : is_scrambled ? 0 : layout.indices(rank, axis).step;
  }
  std::copy(layout.order().begin(), layout.order().end(), part.order);
  std::copy(strides.begin(), strides.end(), part.stride);
  part.elements = box.volume();
  part.allocated = layout.allocated(rank);
  return part;
}

std::vector<double> lengths_of(const Plan& plan, const double lengths[]) {
  if (lengths == nullptr) return {};
  return {lengths, lengths + plan.transform().shape.size()};
}

void TextBuffer::check() const {
  if (size > 0) required(buffer, "buffer");
}

void TextBuffer::write(const std::string& text) const {
  check();
  if (length != nullptr) *length = text.size();
  if (size == 0) return;
  const std::size_t written = std::min(text.size(), size - 1);
  std::memcpy(buffer, text.data(), written);
  buffer[written] = 0;
}

Side physical_side(const Plan& plan) {
  return spectral_side(plan) == Side::output ? Side::input : Side::output;
}

Ends ends_of(Direction direction) {
  return direction == Direction::forward ? Ends{Side::input, Side::output}
                                         : Ends{Side::output, Side::input};
}

std::vector<RawArray> fields_at(const weft_plan_s& plan, Side side, const Fields& fields) {
  std::vector<RawArray> all;
  const void* const own = plan.own[static_cast<std::size_t>(side)];
  for (int field = 0; field < fields.count; ++field) {
    const void* const first = fields.data != nullptr ? fields.data[field] : nullptr;
    all.push_back({const_cast<void*>(first), plan.plan.element_type(side), RawArray::unknown,
                   own != nullptr && first == own ? plan.plan.owner() : nullptr});
  }
  return all;
}

}  // namespace weft::c

const char* weft_error(void) { return weft::c::last_sentence.c_str(); }

const char* weft_version(void) {
  static const std::string version = weft::version();
  return version.c_str();
}
