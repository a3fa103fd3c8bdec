// What the handles of weft.h hold, and how C++ becomes C: exceptions become statuses, texts go into
// buffers. Every function of weft.h does its work inside `guarded`.
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
struct weft_array_s {
  std::shared_ptr<void> memory;
};
struct weft_request_s {
  weft::Handle handle;
};

namespace weft::c {

/// Keeps the sentence of the exception that is being handled.
weft_status keep_exception() noexcept;

/// Runs `work`; whatever it throws becomes a status and the sentence of weft_error().
template <class Work>
weft_status guarded(Work&& work) noexcept {
  try {
    work();
    return WEFT_SUCCESS;
  } catch (...) {
    return keep_exception();
  }
}

/// What a pointer points to; an Error that names the argument where it is NULL.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(std::string(name) + ": is NULL");
  return *pointer;
}

/// Runs `check` before a transform. What it throws is handled as all mistakes in calls of the plan,
/// in which other ranks may wait for this one.
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
/// An axis, of which negative ones count from the end.
int axis_of(int axis, int axes);
Box box_of(const weft_box& box);
weft_box box_of(const Box& box);
weft_part part_of(const Layout& layout, int rank);
/// One entry for each axis of the plan's arrays; none where `lengths` is NULL.
std::vector<double> lengths_of(const Plan& plan, const double lengths[]);

/// How the axes of an array are numbered: in C the last one is the fastest in memory and the first
/// has the number 0; in Fortran the first one is the fastest and has the number 1.
enum class AxisOrder { c, fortran };

/// What a caller asks a plan to be, as given.
struct Wish {
  MPI_Comm communicator;
  int axes;
  const int64_t* shape;
  const char* text;
  weft_layout input;
  weft_layout output;
  AxisOrder order = AxisOrder::c;
};
/// What it says in terms of C++.
Request request_of(const Wish& wish);
/// Makes the plan; collective, with errors on all ranks.
void create_plan(const Wish& wish, weft_plan* plan);

/// Where a call writes a text, by the rules of snprintf.
struct TextBuffer {
  char* buffer;
  size_t size;
  size_t* length;

  /// An Error where it cannot be written to.
  void check() const;
  void write(const std::string& text) const;
};
/// Writes the description of a plan for a number of ranks, without starting them.
void write_description(const Wish& wish, int ranks, int ranks_per_node, const TextBuffer& to);
/// Writes the options that a search finds the best; collective, with errors on all ranks.
void write_tuned(const Wish& wish, double seconds, const TextBuffer& best);

/// What a caller asks weft_place for, as given.
struct PlaceWish {
  MPI_Comm communicator;
  int dimensions;
  const int* grid;
  const char* network;
  const void* placed;  ///< where the result goes; an Error where it is NULL
  AxisOrder order = AxisOrder::c;
};
/// Collective, with errors on all ranks.
MPI_Comm placed_ranks(const PlaceWish& wish);

/// The type of the elements at that end of the plan.
ElementType element_at(const Plan& plan, Side side);
/// Of one element.
std::size_t bytes_of(ElementType type);
/// Where the physical array is: opposite to the spectrum.
Side physical_side(const Plan& plan);
/// See weft_plan_text.
std::string choices_of(const Plan& plan);
/// The same text with settings for axes turned round: from Fortran's order to C's.
std::string reversed_axes(const std::string& text, int axes);

/// Arrays of a call: as many as `count`, at the addresses `data`.
struct Fields {
  int count;
  const void* const* data;
};
/// The caller's arrays at that end. A list that is NULL has arrays that are NULL, about which the
/// plan complains.
std::vector<RawArray> fields_at(const weft_plan_s& plan, Side side, const Fields& fields);

/// From where to where a direction goes.
struct Ends {
  Side from;
  Side to;
};
Ends ends_of(Direction direction);

/// See weft_run.
void run(weft_plan plan, weft_direction direction, const Fields& in, const Fields& out,
         double scale);
/// See weft_apply_each; here `count` functions are given, which may be a mistake.
void apply_each(weft_plan plan, const void* in, const Fields& out, int count,
                const weft_line_function functions[], void* const users[]);
/// See weft_apply_operator.
void apply_operator(weft_plan plan, const char* name, const double lengths[], const Fields& in,
                    const Fields& out, AxisOrder order);

}  // namespace weft::c
