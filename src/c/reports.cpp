// Reports about plans for C: texts for people and for other plans, traffic, traces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "c/handles.hpp"
#include "layout/names.hpp"

using namespace weft;
using namespace weft::c;

namespace {

/// Writes a text about a plan.
template <class Say>
weft_status told(weft_plan plan, const TextBuffer& to, Say&& say) {
  return with_plan(plan, [&](const Plan& own) { to.write(say(own)); });
}

const char* name_of(Trace::Span::What what) {
  constexpr const char* names[] = {"pass", "acquire", "start", "finish", "release", "poll"};
  return names[static_cast<std::size_t>(what)];
}

std::string to_json(const Trace& trace) {
  const auto seconds = [](auto time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  nlohmann::json spans = nlohmann::json::array();
  for (const Trace::Span& span : trace.spans)
    spans.push_back({{"what", name_of(span.what)},
                     {"name", span.name},
                     {"begin", seconds(span.begin)},
                     {"end", seconds(span.end)},
                     {"stage", span.stage},
                     {"k", span.k},
                     {"j", span.j},
                     {"field", span.field},
                     {"waited", span.waited},
                     {"by_progress_thread", span.by_progress_thread}});
  return nlohmann::json({{"spans", std::move(spans)}, {"dropped", trace.dropped}}).dump();
}

/// The lists of names that texts may use.
struct NameList {
  const char* name;
  std::vector<std::string> (*make)();
};
constexpr NameList name_lists[] = {
    {"devices", device_names},        {"engines", engine_names}, {"exchanges", all_exchange_names},
    {"inter_node", inter_node_names}, {"options", option_keys},  {"transforms", transform_keys}};

std::string names_of(const std::string& list) {
  std::vector<std::string> valid;
  for (const NameList& one : name_lists) {
    if (one.name == list) return fmt::format("{}", fmt::join(one.make(), ","));
    valid.emplace_back(one.name);
  }
  throw Error(fmt::format("list \"{}\": {}", list, valid_instead_of(list, valid)));
}

}  // namespace

std::string weft::c::choices_of(const Plan& plan) {
  const std::string what = to_string(plan.transform());  // begins with the shape
  return what.substr(what.find(' ') + 1) + " " + to_string(plan.options());
}

void weft::c::write_description(const PlanArguments& given, int ranks, int ranks_per_node,
                                const TextBuffer& to) {
  const Request request = request_of(given);
  to.write(describe(request.transform, request.options, ranks, ranks_per_node));
}

weft_status weft_plan_text(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return told(plan, {buffer, size, length}, choices_of);
}

weft_status weft_describe(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return told(plan, {buffer, size, length}, [](const Plan& own) { return own.describe(); });
}

weft_status weft_plan_engine(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return told(plan, {buffer, size, length}, [](const Plan& own) { return own.engine(); });
}

weft_status weft_plan_exchanges(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return told(plan, {buffer, size, length},
              [](const Plan& own) { return fmt::format("{}", fmt::join(own.exchanges(), ",")); });
}

weft_status weft_plan_trace(weft_plan plan, char* buffer, size_t size, size_t* length) {
  return told(plan, {buffer, size, length}, [](const Plan& own) { return to_json(own.trace()); });
}

weft_status weft_plan_record(weft_plan plan, int on) {
  return with_plan(plan, [&](Plan& own) { own.record(on != 0); });
}

weft_status weft_plan_traffic(weft_plan plan, weft_traffic* traffic) {
  return with_plan(plan, [&](const Plan& own) {
    const Plan::Traffic sent = own.sent();
    required(traffic, "traffic") = {sent.bytes, sent.messages, own.pass_bytes()};
  });
}

weft_status weft_names(const char* list, char* buffer, size_t size, size_t* length) {
  return guarded([&] {
    TextBuffer{buffer, size, length}.write(names_of(&required(list, "list")));
  });
}

weft_status weft_describe_ranks(int axes, const int64_t shape[], const char* text, int ranks,
                                int ranks_per_node, char* buffer, size_t size, size_t* length) {
  return guarded([&] {
    write_description({MPI_COMM_NULL, axes, shape, text, nullptr, nullptr}, ranks, ranks_per_node,
                      {buffer, size, length});
  });
}

weft_status weft_tune(MPI_Comm communicator, int axes, const int64_t shape[], const char* text,
                      weft_layout input, weft_layout output, double seconds, char* buffer,
                      size_t size, size_t* length) {
  return guarded([&] {
    write_tuned({communicator, axes, shape, text, input, output}, seconds, {buffer, size, length});
  });
}
