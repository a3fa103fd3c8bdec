// How a case is run: one class template over the element types of the two sides, one function per
// way of running. Every rank makes the same collective calls whatever it finds, so that a failure
// never hangs.
#include "cases/run_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/local_array.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t first_seed = 20;

template <class T>
constexpr std::size_t alignment_step = sizeof(T);
template <class T>
constexpr std::size_t alignment_step<std::complex<T>> = sizeof(T);

/// One field's part on this rank: the caller's memory, or the plan's. Where that lies on a device,
/// `data` is an image of it.
template <class T>
struct Field {
  T* data = nullptr;
  std::unique_ptr<GuardedMemory> own;
  std::optional<Array<T>> plans;
  std::vector<T> image;

  bool intact() const { return !own || own->intact(); }
  /// The array that transforms are given.
  T* array() const { return plans ? const_cast<T*>(plans->data()) : data; }
  void to_device(const Plan& plan) const {
    if (!image.empty()) plan.copy(array(), image.data(), image.size() * sizeof(T));
  }
  void from_device(const Plan& plan) {
    if (!image.empty()) plan.copy(image.data(), array(), image.size() * sizeof(T));
  }
};

template <class In, class Out>
class CaseRun {
 public:
  CaseRun(const Case& one, Plan& plan, MPI_Comm communicator)
      : case_(one), plan_(plan), communicator_(communicator), rank_(rank_of(communicator)) {
    for (int field = 0; field < one.options.fields; ++field)
      truth_.push_back(truth_of(one.transform, first_seed + static_cast<std::uint64_t>(field)));
  }

  void run(Memory memory) {
    // One array of the plan as two, of both types, has no image.
    const bool in_plans_array =
        memory == Memory::in_place_plan_input || memory == Memory::in_place_plan_output;
    if (in_plans_array && plan_.options().device != "cpu") return;
    SCOPED_TRACE(to_string(memory));
    running(to_string(case_) + "\n  " + to_string(memory));
    // Fewer than were planned for is allowed, too.
    for (int fields = case_.options.fields; fields > 0; --fields) run_fields(memory, fields);
  }

 private:
  void run_fields(Memory memory, int fields) {
    switch (memory) {
      case Memory::in_place:
      case Memory::in_place_plan_input:
      case Memory::in_place_plan_output:
        in_place(memory, fields);
        return;
      default:
        break;
    }
    const bool reads_plan = memory == Memory::plan || memory == Memory::plan_to_user;
    const bool writes_plan = memory == Memory::plan || memory == Memory::user_to_plan;
    out_of_place<In, Out>(true, reads_plan, writes_plan, fields);
    out_of_place<Out, In>(false, reads_plan, writes_plan, fields);
  }

  template <class From, class To>
  void out_of_place(bool forward, bool reads_plan, bool writes_plan, int fields) {
    SCOPED_TRACE(forward ? "forward" : "backward");
    const Place from = forward ? input_place(plan_, rank_) : output_place(plan_, rank_);
    const Place to = forward ? output_place(plan_, rank_) : input_place(plan_, rank_);
    const int alignment = rank_ + runs_++;
    std::vector<Field<From>> sources;
    std::vector<Field<To>> targets;
    std::vector<std::vector<From>> copies;
    for (int field = 0; field < fields; ++field) {
      // The plan has one array for each side: it serves the first field.
      sources.push_back(make_field<From>(reads_plan && field == 0, forward, from, alignment & 1));
      targets.push_back(make_field<To>(writes_plan && field == 0, !forward, to, alignment & 2));
      fill(sources.back().data, from,
           forward ? truth_[field]->input : truth_[field]->output_with_noise);
      copies.emplace_back(sources.back().data, sources.back().data + span_of(from));
    }
    on_device(forward, sources, targets);
    for (int field = 0; field < fields; ++field) {
      EXPECT_TRUE(same_bytes(copies[field], sources[field].data)) << "the input was changed";
      EXPECT_TRUE(sources[field].intact()) << "written outside the input array";
      EXPECT_TRUE(targets[field].intact()) << "written outside the output array";
      EXPECT_TRUE(gaps_are_poisoned(targets[field].data, to)) << "written between elements";
    }
    expect_close(targets, to, !forward, 1);
  }

  /// Forward and backward again, on the same memory.
  void in_place(Memory memory, int fields) {
    if (memory != Memory::in_place && !plan_array_is_large_enough(memory)) return;
    std::vector<Field<In>> inputs;
    std::vector<Field<Out>> outputs;
    const Place from = input_place(plan_, rank_), to = output_place(plan_, rank_);
    for (int field = 0; field < fields; ++field) {
      const bool plans = memory != Memory::in_place && field == 0;
      inputs.emplace_back();
      outputs.emplace_back();
      if (plans && memory == Memory::in_place_plan_input) {
        inputs.back() = make_field<In>(true, true, from, 0);
      } else if (plans) {
        outputs.back() = make_field<Out>(true, false, to, 0);
        inputs.back().data = reinterpret_cast<In*>(outputs.back().data);
      } else {
        const std::size_t offset = (rank_ + runs_++) % 2 ? alignment_step<In> : 0;
        inputs.back().own = std::make_unique<GuardedMemory>(plan_.in_place_bytes(), offset);
        if (plan_.in_place_bytes() > 0)
          inputs.back().data = static_cast<In*>(inputs.back().own->data());
      }
      outputs.back().data = reinterpret_cast<Out*>(inputs.back().data);
      poison(inputs.back().data, plan_.in_place_bytes());
      fill(inputs.back().data, from, truth_[field]->input);
    }
    execute(true, inputs, outputs);
    expect_close(outputs, to, false, 1);
    execute(false, outputs, inputs);
    expect_close(inputs, from, true, 2);
    for (const Field<In>& input : inputs)
      EXPECT_TRUE(input.intact()) << "written outside the array";
  }

  template <class T>
  Field<T> make_field(bool plans, bool is_input, const Place& place, int misaligned) {
    Field<T> field;
    const std::size_t bytes = static_cast<std::size_t>(span_of(place)) * sizeof(T);
    if (plans) {
      if constexpr (std::is_same_v<T, In> && std::is_same_v<T, Out>)
        field.plans = is_input ? plan_.template input<T>() : plan_.template output<T>();
      else if constexpr (std::is_same_v<T, In>)
        field.plans = plan_.template input<T>();
      else
        field.plans = plan_.template output<T>();
      field.data = field.plans->data();
      if (plan_.options().device != "cpu") {
        field.image.resize(static_cast<std::size_t>(span_of(place)));
        field.data = field.image.data();
      }
      poison(field.data, bytes);
    } else {
      field.own = std::make_unique<GuardedMemory>(bytes, misaligned ? alignment_step<T> : 0);
      // Null is promised to be fine where there is nothing.
      if (bytes > 0) field.data = static_cast<T*>(field.own->data());
    }
    return field;
  }

  /// Between the plan's arrays where they are, if they lie on a device.
  template <class From, class To>
  void on_device(bool forward, std::vector<Field<From>>& sources, std::vector<Field<To>>& targets) {
    for (const auto& source : sources) source.to_device(plan_);
    for (const auto& target : targets) target.to_device(plan_);
    execute(forward, sources, targets);
    for (auto& source : sources) source.from_device(plan_);
    for (auto& target : targets) target.from_device(plan_);
  }

  template <class From, class To>
  void execute(bool forward, const std::vector<Field<From>>& sources,
               const std::vector<Field<To>>& targets) {
    if (sources.size() == 1 && targets[0].plans) {
      Array<To> target = *targets[0].plans;
      return run(forward, std::as_const(sources[0]).array(), target);
    }
    std::vector<const From*> from;
    std::vector<To*> to;
    for (const auto& source : sources) from.push_back(source.array());
    for (const auto& target : targets) to.push_back(target.array());
    from.size() == 1 ? run(forward, from[0], to[0]) : run(forward, from, to);
  }

  template <class From, class To>
  void run(bool forward, const From& from, To&& to) {
    forward ? plan_.forward(from, to) : plan_.backward(from, to);
  }

  template <class T>
  void expect_close(const std::vector<Field<T>>& fields, const Place& place, bool is_input,
                    int transforms) {
    std::vector<double> sums;
    std::vector<std::string> worst;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      const Deviation found = deviation(fields[field].data, place,
                                        is_input ? truth_[field]->restored : truth_[field]->output);
      sums.push_back(found.error_squared);
      sums.push_back(found.norm_squared);
      worst.push_back(found.worst);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM,
                  communicator_);
    for (std::size_t field = 0; field < fields.size(); ++field) {
      const double bound = transforms * truth_[field]->amplification *
                           std::max(error_bound(case_.transform), case_.error_bound);
      EXPECT_GT(sums[2 * field + 1], 0) << "the truth is zero: nothing was tested";
      EXPECT_LE(std::sqrt(sums[2 * field] / sums[2 * field + 1]), bound)
          << "field " << field << ", worst here " << worst[field];
    }
  }

  bool plan_array_is_large_enough(Memory memory) {
    const std::size_t bytes = memory == Memory::in_place_plan_input
                                  ? plan_.input_layout().allocated(rank_) * sizeof(In)
                                  : plan_.output_layout().allocated(rank_) * sizeof(Out);
    int enough = bytes >= plan_.in_place_bytes();
    MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, communicator_);
    return enough != 0;
  }

  template <class T>
  static bool same_bytes(const std::vector<T>& copy, const T* data) {
    return copy.empty() || std::memcmp(copy.data(), data, copy.size() * sizeof(T)) == 0;
  }

  const Case& case_;
  Plan& plan_;
  MPI_Comm communicator_;
  const int rank_;
  int runs_ = 0;
  std::vector<std::shared_ptr<const TruthPair>> truth_;
};

/// True if data must move between ranks, judging only by the layouts.
bool needs_exchange(const Plan& plan) {
  const Layout& from = plan.input_layout();
  const Layout& to = plan.output_layout();
  if (from.global() == to.global() && from.boxes() != to.boxes()) return true;
  const std::vector<Kind>& kinds = plan.transform().kinds;
  for (int axis = 0; axis < from.global().size(); ++axis)
    if (kinds[axis] != Kind::none && !from.is_local(axis)) return true;
  return false;
}

void check_exchanges(const Case& one, const Plan& plan) {
  const std::vector<std::string> ran = plan.exchanges();
  if (needs_exchange(plan)) {
    EXPECT_FALSE(ran.empty()) << "no exchange, though data must move";
  }
  const bool is_list = one.options.exchange.find('/') != std::string::npos;
  if (one.options.exchange == "auto" || is_list) return;
  for (const std::string& name : ran) EXPECT_EQ(name, one.options.exchange);
}

std::size_t bytes_of(Index elements, bool real, Precision precision) {
  return static_cast<std::size_t>(elements) * (real ? 1 : 2) *
         (precision == Precision::single_ ? sizeof(float) : sizeof(double));
}

/// Checks what the plan reports about itself.
void check_facts(const Case& one, const Plan& plan, int rank) {
  const Transform& transform = one.transform;
  EXPECT_EQ(plan.input_layout().global(), input_shape(transform));
  EXPECT_EQ(plan.output_layout().global(), output_shape(transform));
  EXPECT_EQ(plan.input_is_real(), input_is_real(transform));
  EXPECT_EQ(plan.output_is_real(), output_is_real(transform));
  EXPECT_EQ(plan.input_box(), plan.input_layout().box(rank));
  EXPECT_EQ(plan.output_box(), plan.output_layout().box(rank));
  EXPECT_EQ(plan.input_size(), plan.input_box().volume());
  EXPECT_EQ(plan.output_size(), plan.output_box().volume());
  if (one.layouts) {
    EXPECT_EQ(plan.input_layout(), one.layouts->first);
    EXPECT_EQ(plan.output_layout(), one.layouts->second);
  }
  EXPECT_EQ(plan.in_place_bytes(), std::max(bytes_of(plan.input_layout().allocated(rank),
                                                     plan.input_is_real(), transform.precision),
                                            bytes_of(plan.output_layout().allocated(rank),
                                                     plan.output_is_real(), transform.precision)));
  if (one.options.engine != "auto") {
    EXPECT_EQ(plan.engine(), one.options.engine);
  }
  check_exchanges(one, plan);
}

/// True if the planner reports that the engine has no such DCT or DST, which is correct for some
/// engines.
bool engine_lacks(const std::string& error, const Case& one) {
  const bool trigonometric =
      std::ranges::any_of(one.transform.kinds, [](Kind kind) { return kind >= Kind::dct1; });
  return trigonometric && error.find("engine " + one.options.engine) != std::string::npos &&
         error.find("engines that have it") != std::string::npos;
}

}  // namespace

Place input_place(const Plan& plan, int rank) { return place_of(plan.input_layout(), rank); }

Place output_place(const Plan& plan, int rank) { return place_of(plan.output_layout(), rank); }

Plan plan_of(const Case& one, MPI_Comm communicator) {
  if (!one.layouts) return Plan(communicator, one.transform, one.options);
  return Plan(communicator, one.transform, one.layouts->first, one.layouts->second, one.options);
}

void check_plan(const Case& one, Plan& plan, MPI_Comm communicator) {
  SCOPED_TRACE(to_string(one));
  check_facts(one, plan, rank_of(communicator));
  if (truth_is_out_of_reach(one.transform)) return;
  with_element_types(plan, [&]<class In, class Out>(In, Out) {
    CaseRun<In, Out> run(one, plan, communicator);
    for (Memory memory : one.memories) run.run(memory);
  });
}

bool check_case(const Case& one, MPI_Comm communicator) {
  running("planning " + to_string(one));
  std::optional<Plan> plan;
  try {
    plan.emplace(plan_of(one, communicator));
  } catch (const Error& error) {
    if (engine_lacks(error.what(), one)) return false;
    ADD_FAILURE() << "planning failed: " << error.what() << "\n" << to_string(one);
    return true;
  }
  check_plan(one, *plan, communicator);
  return true;
}

}  // namespace weft::test
