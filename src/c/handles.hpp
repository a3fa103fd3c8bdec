// Defines the contents of weft.h's handles, and the translation from C++ to C: exceptions become
// statuses, texts go into buffers. Every function of weft.h does its work inside `guarded`.
#pragma once

#include <weft/weft.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <weft/weft.hpp>

struct weft_plan_s {
  explicit weft_plan_s(weft::Plan made) : plan(std::move(made)) {}
  weft::Plan plan;
  void* own[2] = {nullptr, nullptr};  // the plan's own arrays by side, once asked for
  std::atomic<int> names = 1;         // variables of Fortran that stand for it
};
struct weft_layout_s {
  weft::Layout layout;
};
struct weft_halo_s {
  weft::Halo halo;
};
struct weft_array_s {
  std::shared_ptr<void> memory;
};
struct weft_request_s {
  weft::Handle handle;
};

namespace weft::c {

/// Keeps the sentence of the exception that is being handled.
weft_status keep_exception() noexcept;

/// Runs `work`; its exceptions become a status and the sentence of weft_error().
template <class Work>
weft_status guarded(Work&& work) noexcept {
  try {
    work();
    return WEFT_SUCCESS;
  } catch (...) {
    return keep_exception();
  }
}

/// The object that a pointer points to; throws an Error that names the argument if it is NULL.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(std::string(name) + ": is NULL");
  return *pointer;
}

/// Runs work(plan) inside `guarded`.
template <class Work>
weft_status with_plan(weft_plan plan, Work&& work) noexcept {
  return guarded([&] { work(required(plan, "plan").plan); });
}

/// Runs `check` before a transform. Its exceptions are handled like all mistakes in calls of the
/// plan, in which other ranks may wait for this rank.
template <class Check>
void checked(Plan& plan, Check&& check) {
  try {
    check();
  } catch (const Error& mistake) {
    plan.refuse(mistake);
  }
}

/// Plan::agree before there is a plan.
void agreed(MPI_Comm communicator, const std::function<void()>& work);

Side side_of(weft_side side);
Direction direction_of(weft_direction direction);
Shape shape_of(int axes, const int64_t shape[]);
/// As many entries as the layout has axes.
template <class T>
PerAxis<T> per_axis(const Layout& layout, const T* values, const char* name) {
  return PerAxis<T>(&required(values, name), values + layout.global().size());
}
/// An axis; negative numbers count from the end.
int axis_of(int axis, int axes);
Box box_of(const weft_box& box);
weft_box box_of(const Box& box);
/// The box of a rank; an Error that names the rank where there is none.
Box box_of(const Layout& layout, int rank);
weft_part part_of(const Layout& layout, int rank);
/// One entry for each axis of the plan's arrays; none where `lengths` is NULL.
std::vector<double> lengths_of(const Plan& plan, const double lengths[]);

/// How the axes of an array are numbered: in C the last one is the fastest in memory and the first
/// has the number 0; in Fortran the first one is the fastest and has the number 1.
enum class AxisOrder { c, fortran };

/// A caller's arguments for a plan, as given.
struct PlanArguments {
  MPI_Comm communicator;
  int axes;
  const int64_t* shape;
  const char* text;
  weft_layout input;
  weft_layout output;
  AxisOrder order = AxisOrder::c;
};
/// The arguments in terms of C++.
Request request_of(const PlanArguments& given);
/// Makes the plan; collective, with errors on all ranks.
void create_plan(const PlanArguments& given, weft_plan* plan);

/// Where a call writes a text, by the rules of snprintf.
struct TextBuffer {
  char* buffer;
  size_t size;
  size_t* length;

  /// Throws an Error if the buffer cannot be written to.
  void check() const;
  void write(const std::string& text) const;
};
/// Writes the description of a plan for a number of ranks, without starting them.
void write_description(const PlanArguments& given, int ranks, int ranks_per_node,
                       const TextBuffer& to);
/// Writes the best options that a search finds; collective, with errors on all ranks.
void write_tuned(const PlanArguments& given, double seconds, const TextBuffer& best);

/// A caller's arguments of weft_place, as given.
struct PlaceArguments {
  MPI_Comm communicator;
  int dimensions;
  const int* grid;
  const char* network;
  const void* placed;  ///< where the result goes; NULL is an Error
  AxisOrder order = AxisOrder::c;
};
/// Collective, with errors on all ranks.
MPI_Comm placed_ranks(const PlaceArguments& given);

/// The side of the physical array, opposite to the spectrum.
Side physical_side(const Plan& plan);
/// See weft_plan_text.
std::string choices_of(const Plan& plan);
/// The same text with settings for axes reversed: from Fortran's order to C's.
std::string reversed_axes(const std::string& text, int axes);

/// Arrays of a call: as many as `count`, at the addresses `data`.
struct Fields {
  int count;
  const void* const* data;
};
/// The caller's arrays at that end. If the list is NULL, all arrays are NULL, and the
/// plan complains.
std::vector<RawArray> fields_at(const weft_plan_s& plan, Side side, const Fields& fields);

/// The ends from which and to which a direction goes.
struct Ends {
  Side from;
  Side to;
};
Ends ends_of(Direction direction);

/// See weft_run.
void run(weft_plan plan, weft_direction direction, const Fields& in, const Fields& out,
         double scale);
/// See weft_apply_each; the caller gives `count` functions, which may be the wrong number.
void apply_each(weft_plan plan, const void* in, const Fields& out, int count,
                const weft_line_function functions[], void* const users[]);
/// See weft_apply_operator.
void apply_operator(weft_plan plan, const char* name, const double lengths[], const Fields& in,
                    const Fields& out, AxisOrder order);

}  // namespace weft::c
