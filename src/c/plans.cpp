// weft_plan_... and weft_array_...: plans of C, and their arrays.
#include <algorithm>
#include <sstream>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

Layout layout_of(weft_layout layout) { return layout != nullptr ? layout->layout : Layout(); }

/// Frees the plan if this was the last of its names.
struct ForgetName {
  void operator()(weft_plan_s* plan) const {
    if (--plan->names == 0) delete plan;
  }
};
using PlanName = std::unique_ptr<weft_plan_s, ForgetName>;

}  // namespace

Request weft::c::request_of(const PlanArguments& given) {
  Shape shape = shape_of(given.axes, given.shape);
  std::string text = given.text != nullptr ? given.text : "";
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word.starts_with("shape="))
      throw Error("\"" + text + "\": the shape is an argument of its own");
  if (given.order == AxisOrder::fortran) {
    std::reverse(shape.begin(), shape.end());
    text = reversed_axes(text, given.axes);
  }
  return Request::parse("shape=" + to_string(shape) + " " + text);
}

void weft::c::create_plan(const PlanArguments& given, weft_plan* plan) {
  Request request;
  agreed(given.communicator, [&] {
    required(plan, "plan");
    request = request_of(given);
  });
  *plan = new weft_plan_s{Plan(given.communicator, request.transform, layout_of(given.input),
                               layout_of(given.output), request.options)};
}

void weft::c::write_tuned(const PlanArguments& given, double seconds, const TextBuffer& best) {
  Request request;
  agreed(given.communicator, [&] {
    best.check();
    request = request_of(given);
  });
  const std::vector<Trial> trials =
      tune(given.communicator, request.transform, request.options, seconds, {},
           layout_of(given.input), layout_of(given.output));
  const std::string found = to_string(trials.at(0).options);
  best.write(given.order == AxisOrder::fortran ? reversed_axes(found, given.axes) : found);
}

weft_status weft_plan_create(MPI_Comm communicator, int axes, const int64_t shape[],
                             const char* text, weft_plan* plan) {
  return weft_plan_create_between(communicator, axes, shape, text, nullptr, nullptr, plan);
}

weft_status weft_plan_create_between(MPI_Comm communicator, int axes, const int64_t shape[],
                                     const char* text, weft_layout input, weft_layout output,
                                     weft_plan* plan) {
  return guarded([&] { create_plan({communicator, axes, shape, text, input, output}, plan); });
}

weft_status weft_plan_close(weft_plan* plan) {
  return guarded([&] {
    const PlanName own(&required(required(plan, "plan"), "plan"));
    *plan = nullptr;
    own->plan.close();
  });
}

void weft_plan_drop(weft_plan* plan) {
  if (plan == nullptr) return;
  const PlanName own(*plan);
  *plan = nullptr;
}

weft_status weft_plan_part(weft_plan plan, weft_side side, weft_part* part) {
  return with_plan(plan, [&](const Plan& own) {
    required(part, "part") = part_of(own.layout(side_of(side)), own.rank());
  });
}

weft_status weft_plan_layout(weft_plan plan, weft_side side, weft_layout* layout) {
  return with_plan(plan, [&](const Plan& own) {
    weft_layout& result = required(layout, "layout");
    result = new weft_layout_s{own.layout(side_of(side))};
  });
}

weft_status weft_plan_element(weft_plan plan, weft_side side, weft_element* element) {
  return with_plan(plan, [&](const Plan& own) {
    const ElementType type = own.element_type(side_of(side));
    required(element, "element") = {type.real ? 1 : 0, static_cast<std::size_t>(type.bytes())};
  });
}

weft_status weft_plan_spectral_side(weft_plan plan, weft_side* side) {
  return with_plan(plan, [&](const Plan& own) {
    const Side end = spectral_side(own);
    required(side, "side") = end == Side::input ? WEFT_INPUT : WEFT_OUTPUT;
  });
}

weft_status weft_plan_sizes(weft_plan plan, weft_sizes* sizes) {
  return with_plan(plan, [&](const Plan& own) {
    const auto bytes = [&](Side side) {
      return static_cast<std::size_t>(own.element_type(side).bytes() *
                                      own.layout(side).allocated(own.rank()));
    };
    required(sizes, "sizes") = {bytes(Side::input), bytes(Side::output), own.in_place_bytes(),
                                own.workspace_bytes(), own.tile_bytes()};
  });
}

weft_status weft_plan_copy(weft_plan plan, void* to, const void* from, size_t bytes) {
  return with_plan(plan, [&](const Plan& own) {
    if (bytes == 0) return;  // NULL is fine where a rank holds nothing
    required(static_cast<std::byte*>(to), "to");
    required(static_cast<const std::byte*>(from), "from");
    own.copy(to, from, bytes);
  });
}

weft_status weft_plan_synchronize(weft_plan plan) {
  return with_plan(plan, [](const Plan& own) { own.synchronize(); });
}

weft_status weft_plan_set_stream(weft_plan plan, void* stream) {
  return with_plan(plan, [&](Plan& own) { own.set_stream(stream); });
}

weft_status weft_array_own(weft_plan plan, weft_side side, weft_array* array) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    Side end{};
    own.plan.agree([&] {
      required(array, "array");
      end = side_of(side);
    });
    auto held = std::make_unique<weft_array_s>();
    held->memory = own.plan.own_array(end, own.plan.element_type(end));
    own.own[static_cast<std::size_t>(end)] = held->memory.get();
    *array = held.release();
  });
}

weft_status weft_array_make(weft_plan plan, weft_side side, weft_array* array) {
  return with_plan(plan, [&](const Plan& own) {
    const Side end = side_of(side);
    weft_array& result = required(array, "array");
    result = new weft_array_s{own.make_array(end, own.element_type(end))};
  });
}

void* weft_array_data(weft_array array) { return array ? array->memory.get() : nullptr; }

void weft_array_drop(weft_array* array) {
  if (array == nullptr) return;
  delete *array;
  *array = nullptr;
}
