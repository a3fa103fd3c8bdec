// The transforms of C, those in flight, and functions of the spectrum.
#include <utility>
#include <weft/c_functions.hpp>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

/// Calls work(handle of the request). The request ends if `work` returns true or throws.
template <class Work>
weft_status end_request(weft_request* request, Work&& work) {
  return guarded([&] {
    std::unique_ptr<weft_request_s> held(std::exchange(required(request, "request"), nullptr));
    if (!work(held ? &held->handle : nullptr)) *request = held.release();
  });
}

ElementType spectrum_type(const Plan& plan) { return plan.element_type(spectral_side(plan)); }

/// The physical arrays of a call of apply.
std::vector<RawArray> physical(const weft_plan_s& plan, const Fields& fields) {
  return fields_at(plan, physical_side(plan.plan), fields);
}

}  // namespace

void weft::c::run(weft_plan plan, weft_direction direction, const Fields& in, const Fields& out,
                  double scale) {
  weft_plan_s& own = required(plan, "plan");
  Direction way{};
  checked(own.plan, [&] { way = direction_of(direction); });
  const auto [from, to] = ends_of(way);
  own.plan.run(way, fields_at(own, from, in), fields_at(own, to, out), scale);
}

weft_status weft_forward(weft_plan plan, const void* in, void* out) {
  return guarded([&] { run(plan, WEFT_FORWARD, {1, &in}, {1, &out}, 1); });
}

weft_status weft_backward(weft_plan plan, const void* in, void* out) {
  return guarded([&] { run(plan, WEFT_BACKWARD, {1, &in}, {1, &out}, 1); });
}

weft_status weft_run(weft_plan plan, weft_direction direction, int fields, const void* const in[],
                     void* const out[], double scale) {
  return guarded([&] { run(plan, direction, {fields, in}, {fields, out}, scale); });
}

weft_status weft_start(weft_plan plan, weft_direction direction, const void* in, void* out,
                       double scale, weft_request* request) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    Direction way{};
    checked(own.plan, [&] {
      required(request, "request");
      way = direction_of(direction);
    });
    const auto [from, to] = ends_of(way);
    auto started = std::make_unique<weft_request_s>();
    started->handle = own.plan.start(way, fields_at(own, from, {1, &in})[0],
                                     fields_at(own, to, {1, &out})[0], scale);
    *request = started.release();
  });
}

weft_status weft_test(weft_request* request, int* done) {
  return end_request(request, [&](Handle* handle) {
    int& result = required(done, "done");
    const bool is_over = handle == nullptr || handle->test();
    result = is_over ? 1 : 0;
    return is_over;
  });
}

weft_status weft_wait(weft_request* request) {
  return end_request(request, [](Handle* handle) {
    if (handle != nullptr) handle->wait();
    return true;
  });
}

weft_status weft_apply(weft_plan plan, const void* in, void* out, weft_line_function function,
                       void* user) {
  return weft_apply_each(plan, in, 1, &out, &function, &user);
}

void weft::c::apply_each(weft_plan plan, const void* in, const Fields& out, int count,
                         const weft_line_function functions[], void* const users[]) {
  weft_plan_s& own = required(plan, "plan");
  std::vector<RawLineFunction> all;
  for (int number = 0; number < count; ++number)
    all.push_back(
        raw_function(functions ? functions[number] : nullptr, users ? users[number] : nullptr));
  own.plan.apply(physical(own, {1, &in})[0], physical(own, out), spectrum_type(own.plan), all);
}

weft_status weft_apply_each(weft_plan plan, const void* in, int outputs, void* const out[],
                            const weft_line_function functions[], void* const users[]) {
  return guarded([&] { apply_each(plan, in, {outputs, out}, outputs, functions, users); });
}

weft_status weft_apply_fields(weft_plan plan, int inputs, const void* const in[], int outputs,
                              void* const out[], weft_lines_function function, void* user) {
  return guarded([&] {
    weft_plan_s& own = required(plan, "plan");
    own.plan.apply(physical(own, {inputs, in}), physical(own, {outputs, out}),
                   spectrum_type(own.plan), raw_function(function, user));
  });
}

weft_status weft_apply_operator(weft_plan plan, const char* name, const double lengths[],
                                int inputs, const void* const in[], int outputs,
                                void* const out[]) {
  return guarded([&] {
    apply_operator(plan, name, lengths, {inputs, in}, {outputs, out}, AxisOrder::c);
  });
}
