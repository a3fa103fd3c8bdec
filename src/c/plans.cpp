// weft_plan_... and weft_array_...: plans of C, and their arrays.
#include <algorithm>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

Request request_of(const Wish& wish) {
  Shape shape = shape_of(wish.axes, wish.shape);
  std::string text = wish.text != nullptr ? wish.text : "";
  if (wish.order == AxisOrder::fortran) {
    std::reverse(shape.begin(), shape.end());
    text = reversed_axes(text, wish.axes);
  }
  if (text.starts_with("shape=") || text.find(" shape=") != std::string::npos)
    throw Error("\"" + text + "\": the shape is an argument of its own");
  return Request::parse("shape=" + to_string(shape) + " " + text);
}

Layout layout_of(weft_layout layout) { return layout != nullptr ? layout->layout : Layout(); }

template <class Memory>
weft_status make(weft_plan plan, weft_side side, weft_array* array, Memory&& memory) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    weft_array& result = required(array, "array");
    const Side end = side_of(side);
    result = new weft_array_s{memory(own, end, element_at(own.plan, end))};
  });
}

}  // namespace

void weft::c::create_plan(const Wish& wish, weft_plan* plan) {
  Request request;
  agreed(wish.communicator, [&] {
    required(plan, "plan");
    request = request_of(wish);
  });
  *plan = new weft_plan_s{Plan(wish.communicator, request.transform, layout_of(wish.input),
                               layout_of(wish.output), request.options)};
}

std::string weft::c::tuned(const Wish& wish, double seconds) {
  Request request;
  agreed(wish.communicator, [&] { request = request_of(wish); });
  const std::vector<Trial> trials =
      tune(wish.communicator, request.transform, request.options, seconds, {},
           layout_of(wish.input), layout_of(wish.output));
  return to_string(trials.at(0).options);
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
    const std::unique_ptr<weft_plan_s> held(&required(required(plan, "plan"), "plan"));
    *plan = nullptr;
    held->plan.close();
  });
}

void weft_plan_drop(weft_plan* plan) {
  if (plan == nullptr) return;
  delete *plan;
  *plan = nullptr;
}

weft_status weft_plan_part(weft_plan plan, weft_side side, weft_part* part) {
  return guarded([&] {
    const Plan& own = required(plan, "plan").plan;
    required(part, "part") = part_of(own.layout(side_of(side)), own.rank());
  });
}

weft_status weft_plan_layout(weft_plan plan, weft_side side, weft_layout* layout) {
  return guarded([&] {
    const Plan& own = required(plan, "plan").plan;
    weft_layout& result = required(layout, "layout");
    result = new weft_layout_s{own.layout(side_of(side))};
  });
}

weft_status weft_plan_element(weft_plan plan, weft_side side, weft_element* element) {
  return guarded([&] {
    const ElementType type = element_at(required(plan, "plan").plan, side_of(side));
    const std::size_t part = type.precision == Precision::double_ ? sizeof(double) : sizeof(float);
    required(element, "element") = {type.real ? 1 : 0, type.real ? part : 2 * part};
  });
}

weft_status weft_plan_sizes(weft_plan plan, weft_sizes* sizes) {
  return guarded([&] {
    const Plan& own = required(plan, "plan").plan;
    required(sizes, "sizes");
    const auto bytes = [&](Side side) {
      weft_element element{};
      weft_plan_element(plan, side == Side::input ? WEFT_INPUT : WEFT_OUTPUT, &element);
      return element.bytes * static_cast<std::size_t>(own.layout(side).allocated(own.rank()));
    };
    *sizes = {bytes(Side::input), bytes(Side::output), own.in_place_bytes(), own.workspace_bytes()};
  });
}

weft_status weft_plan_text(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] {
    const Plan& own = required(plan, "plan").plan;
    const std::string what = to_string(own.transform());  // begins with the shape
    write_text(what.substr(what.find(' ') + 1) + " " + to_string(own.options()), buffer, size,
               length);
  });
}

weft_status weft_describe(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] { write_text(required(plan, "plan").plan.describe(), buffer, size, length); });
}

weft_status weft_describe_ranks(int axes, const int64_t shape[], const char* text, int ranks,
                                int ranks_per_node, char* buffer, size_t size, size_t* length) {
  return guarded([&] {
    const Request request = request_of({MPI_COMM_NULL, axes, shape, text, nullptr, nullptr});
    write_text(describe(request.transform, request.options, ranks, ranks_per_node), buffer, size,
               length);
  });
}

weft_status weft_tune(MPI_Comm communicator, int axes, const int64_t shape[], const char* text,
                      weft_layout input, weft_layout output, double seconds, char* buffer,
                      size_t size, size_t* length) {
  return guarded([&] {
    write_text(tuned({communicator, axes, shape, text, input, output}, seconds), buffer, size,
               length);
  });
}

weft_status weft_array_own(weft_plan plan, weft_side side, weft_array* array) {
  return make(plan, side, array, [](weft_plan_s& own, Side end, ElementType type) {
    std::shared_ptr<void> memory = own.plan.own_array(end, type);
    own.own[static_cast<std::size_t>(end)] = memory.get();
    return memory;
  });
}

weft_status weft_array_make(weft_plan plan, weft_side side, weft_array* array) {
  return make(plan, side, array, [](weft_plan_s& own, Side end, ElementType type) {
    return own.plan.make_array(end, type);
  });
}

void* weft_array_data(weft_array array) { return array ? array->memory.get() : nullptr; }

void weft_array_drop(weft_array* array) {
  if (array == nullptr) return;
  delete *array;
  *array = nullptr;
}
