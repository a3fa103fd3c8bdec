// Decides who computes a plan, and runs the plans of Weft. Mistakes end the job with a message,
// because FFTW's interface has no errors.
#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "api.hpp"
#include "real_library.hpp"
#include "reference.hpp"
#include "report.hpp"

namespace weft::fftw {
namespace {

const char mark_of_own_plans = 0;

/// Whether something holds on all ranks, which must decide alike.
bool on_all(MPI_Comm communicator, bool here) {
  const int mine = here;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, communicator);
  return all != 0;
}

}  // namespace

class OwnPlan {
 public:
  OwnPlan(const Problem& problem, const Translation& translation, MPI_Comm communicator)
      : name_(to_string(problem)),
        direction_(translation.direction),
        input_type_(translation.input_type),
        output_type_(translation.output_type),
        plan_(communicator, translation.transform,
              forward() ? translation.input : translation.output,
              forward() ? translation.output : translation.input) {}

  bool forward() const { return direction_ == Direction::forward; }
  const std::string& name() const { return name_; }
  const Plan& weft_plan() const { return plan_; }

  void bind(void* in, void* out) {
    in_ = in;
    out_ = out;
  }
  void count_in(std::atomic<long>* transforms) { transforms_ = transforms; }
  void compare_with(std::unique_ptr<Reference> reference) { reference_ = std::move(reference); }

  void close() { plan_.close(); }
  void run() { run(in_, out_); }
  void run(void* in, void* out) {
    ++*transforms_;
    if (reference_) reference_->compute(in);
    const RawArray source{in, input_type_};
    const RawArray result{out, output_type_};
    plan_.run(direction_, {&source, 1}, {&result, 1});
    if (reference_) reference_->compare(out, name_, plan_);
  }

 private:
  [[maybe_unused]] const void* mark_ = &mark_of_own_plans;  // first: see own()
  std::string name_;
  Direction direction_;
  ElementType input_type_;
  ElementType output_type_;
  Plan plan_;
  void* in_ = nullptr;
  void* out_ = nullptr;
  std::atomic<long>* transforms_ = nullptr;
  std::unique_ptr<Reference> reference_;  // with WEFT_FFTW=check
};

namespace {

PlanPointer pass_on(const Problem& problem, void* in, void* out, MPI_Comm communicator,
                    const RealPlanner& real_planner, const std::string& reason) {
  count_plan(to_string(problem), reason);
  const PlanPointer plan = real_planner ? real_planner(in, out) : nullptr;
  // Without wisdom FFTW_WISDOM_ONLY gives no plan: an answer, not a mistake.
  const bool is_answer = real_planner && (problem.flags & Flags::wisdom_only);
  if (!plan && !is_answer && rank_in(communicator) == 0)
    std::fprintf(
        stderr, "%s: no plan for %s (%s), %s\n", own_name.c_str(), to_string(problem).c_str(),
        reason.c_str(),
        real_planner ? "and FFTW makes none" : "for there is no FFTW-MPI to forward it to");
  return plan;
}

/// If Weft cannot make the plan on all ranks (too little memory, a mistake in WEFT_OPTIONS),
/// returns null and sets `reason`, which rank 0 prints.
std::unique_ptr<OwnPlan> try_own(const Problem& problem, const Translation& translation,
                                 MPI_Comm communicator, std::string& reason) {
  std::unique_ptr<OwnPlan> plan;
  try {
    plan = std::make_unique<OwnPlan>(problem, translation, communicator);
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (on_all(communicator, plan != nullptr)) return plan;
  if (reason.empty()) reason = "another rank cannot make the plan";
  if (rank_in(communicator) == 0)
    std::fprintf(stderr, "%s: FFTW computes %s, for Weft says: %s\n", own_name.c_str(),
                 to_string(problem).c_str(), reason.c_str());
  return nullptr;
}

/// Null where FFTW makes no plan or none to trust; it has none for some of Weft's.
std::unique_ptr<Reference> make_reference(const Translation& translation, bool in_place,
                                          MPI_Comm communicator, const RealPlanner& real_planner) {
  if (!on_all(communicator, real_planner != nullptr))
    end_without_real("mpi_plan for WEFT_FFTW=check");
  // FFTW-MPI 3.3.10 drops axes of length 1, and may then write outside of its memory.
  if (std::ranges::count(translation.transform.shape, Index{1}) > 0) return nullptr;
  auto reference = std::make_unique<Reference>(translation, in_place, communicator);
  const std::shared_ptr<OpaquePlan> plan(
      real_planner(reference->input(), reference->result()), [](PlanPointer made) {
        if (made) real_or_end(&WEFT_FFTW(destroy_plan), "destroy_plan")(made);
      });
  if (!on_all(communicator, plan != nullptr)) return nullptr;
  reference->run_by([plan] { real_or_end(&WEFT_FFTW(execute), "execute")(plan.get()); });
  return reference;
}

}  // namespace

PlanPointer make_plan(const Problem& problem, void* in, void* out, MPI_Comm communicator,
                      const RealPlanner& real_planner) {
  const Mode mode = agreed_mode(communicator);
  std::string reason;
  if (mode == Mode::off)
    reason = "WEFT_FFTW=off";
  else if (!on_all(communicator, is_in_front()))
    reason = prefix + "_execute is not that of " + own_name + ", before which FFTW is linked";
  Translation translation;
  if (reason.empty()) try {
      translation = translate(problem, ranks_in(communicator), rank_in(communicator));
    } catch (const Error& error) {
      reason = error.what();
    }
  std::unique_ptr<OwnPlan> plan;
  if (reason.empty()) plan = try_own(problem, translation, communicator, reason);
  if (!plan) return pass_on(problem, in, out, communicator, real_planner, reason);
  plan->bind(in, out);
  std::unique_ptr<Reference> reference;
  // Ranks without data may pass what they like.
  const bool in_place = mode == Mode::check && on_all(communicator, in == out);
  if (mode == Mode::check)
    reference = make_reference(translation, in_place, communicator, real_planner);
  const bool unchecked = mode == Mode::check && !reference;
  plan->count_in(count_plan(plan->name() + (unchecked ? " (not compared)" : ""), ""));
  plan->compare_with(std::move(reference));
  return reinterpret_cast<PlanPointer>(plan.release());
}

OwnPlan* own(PlanPointer plan) {
  if (!plan) return nullptr;
  const bool is_own = *reinterpret_cast<const void* const*>(plan) == &mark_of_own_plans;
  return is_own ? reinterpret_cast<OwnPlan*>(plan) : nullptr;
}

void execute(OwnPlan& plan) try { plan.run(); } catch (const std::exception& error) {
  end_job(plan.name() + ": " + error.what());
}

void execute(OwnPlan& plan, void* in, void* out) try {
  plan.run(in, out);
} catch (const std::exception& error) {
  end_job(plan.name() + ": " + error.what());
}

void destroy(OwnPlan* plan) try {
  const std::unique_ptr<OwnPlan> mine(plan);
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) mine->close();
} catch (const std::exception& error) {
  end_job(std::string("destroy_plan: ") + error.what());
}

std::string describe(const OwnPlan& plan) { return plan.weft_plan().describe(); }

double operations(const OwnPlan& plan) {
  const Plan& weft_plan = plan.weft_plan();
  const double size = weft_plan.transform().logical_size();
  const double per_complex = 5 * std::log2(size);
  const double elements = static_cast<double>(weft_plan.output_size());
  return per_complex * elements * (weft_plan.output_is_real() ? 0.5 : 1);
}

}  // namespace weft::fftw
