// Registries hang on the callers' communicators as attributes, so that a communicator freed by its
// owner takes its plans' resources along; MPI_Finalize does the same for all that are left.
#include "session/plan_registry.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

namespace weft {
namespace {

/// All registries in the order in which they were made, which is the same on the ranks that share
/// any of them. Never destroyed: a plan in a static variable may be dropped after main.
struct Registries {
  std::mutex mutex;
  std::atomic<bool> is_finalized = false;
  std::vector<std::shared_ptr<PlanRegistry>> all;
};

Registries& registries() {
  static auto& kept = *new Registries;
  return kept;
}

int make_key(MPI_Comm_delete_attr_function* free) {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free, &key, nullptr),
            "MPI_Comm_create_keyval");
  return key;
}

/// An exception must not pass through MPI.
int mpi_code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception&) {
    return MPI_ERR_OTHER;
  }
  return MPI_SUCCESS;
}

}  // namespace

int PlanRegistry::free_attribute(MPI_Comm /*communicator*/, int /*key*/, void* registry,
                                 void* /*state*/) {
  if (registries().is_finalized) return MPI_SUCCESS;
  return mpi_code_of([&] {
    const auto orphan = static_cast<PlanRegistry*>(registry)->shared_from_this();
    {
      const std::lock_guard lock(registries().mutex);
      orphan->freed_by_ = std::this_thread::get_id();
    }
    orphan->free_own_retired();
    orphan->forget_if_empty();
  });
}

/// When the last copy is dropped, so is its communicator.
void PlanRegistry::forget_if_empty() {
  if (!entries_.empty()) return;
  const std::lock_guard lock(registries().mutex);
  std::erase_if(registries().all, [&](const auto& kept) { return kept.get() == this; });
}

/// Transforms in flight are finished first, while MPI still carries their messages.
int PlanRegistry::free_at_finalize(MPI_Comm /*communicator*/, int /*key*/, void* /*value*/,
                                   void* /*state*/) {
  return mpi_code_of([] {
    const std::lock_guard lock(registries().mutex);
    for (const auto& registry : registries().all)
      for (const Entry& entry : registry->entries_)
        if (!entry.session->calls().has_failed()) entry.session->transforms().finish_flights();
    for (const auto& registry : registries().all) {
      registry->free_own_retired();
      registry->communicator_ = Communicator();
    }
    registries().is_finalized = true;
  });
}

/// The delete callback of an attribute of MPI_COMM_SELF runs first thing in MPI_Finalize.
int PlanRegistry::key() {
  static const int key = [] {
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, make_key(free_at_finalize), nullptr),
              "MPI_Comm_set_attr");
    return make_key(free_attribute);
  }();
  return key;
}

std::shared_ptr<PlanRegistry> PlanRegistry::of(MPI_Comm communicator) {
  require_usable(communicator);
  PlanRegistry* found = nullptr;
  int is_found = 0;
  check_mpi(MPI_Comm_get_attr(communicator, key(), &found, &is_found), "MPI_Comm_get_attr");
  if (is_found != 0) return found->shared_from_this();
  const std::shared_ptr<PlanRegistry> made(new PlanRegistry(communicator));
  check_mpi(MPI_Comm_set_attr(communicator, key(), made.get()), "MPI_Comm_set_attr");
  const std::lock_guard lock(registries().mutex);
  registries().all.push_back(made);
  return made;
}

std::shared_ptr<Session> PlanRegistry::adopt(std::unique_ptr<Session> session) {
  Session* const adopted = session.get();
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back({std::move(session)});
  }
  return {adopted,
          [registry = shared_from_this()](Session* dropped) { registry->retire(dropped); }};
}

/// After MPI_Finalize a session is freed without its windows and communicators, for which it needs
/// the other ranks.
void PlanRegistry::retire(const Session* session) {
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const Entry& entry) { return entry.session.get() == session; };
  const auto entry = std::ranges::find_if(entries_, is_it);
  entry->session->retire();
  entry->is_retired = true;
  if (registries().is_finalized) entries_.erase(entry);
}

/// Orphans have no calls of their own any more in which all their ranks meet.
void PlanRegistry::free_retired() {
  free_own_retired();
  std::vector<std::shared_ptr<PlanRegistry>> orphans;
  {
    const std::lock_guard lock(registries().mutex);
    for (const auto& registry : registries().all)
      if (registry->freed_by_ == std::this_thread::get_id()) orphans.push_back(registry);
  }
  for (const auto& orphan : orphans) {
    const std::vector<int> ranks = ranks_within(communicator(), orphan->communicator_);
    if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) continue;
    orphan->free_own_retired();
    orphan->forget_if_empty();
  }
}

void PlanRegistry::free_own_retired() {
  std::vector<int> retired;
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_)
      retired.push_back(entry.is_retired && !entry.session->calls().has_failed() ? 1 : 0);
  }
  if (retired.empty()) return;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, retired.data(), static_cast<int>(retired.size()), MPI_INT,
                          MPI_MIN, communicator_.get()),
            "MPI_Allreduce");
  std::vector<Entry> freed;  // outside the lock, since freeing waits for other ranks
  {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> kept;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      (i < retired.size() && retired[i] != 0 ? freed : kept).push_back(std::move(entries_[i]));
    entries_ = std::move(kept);
  }
  for (Entry& entry : freed) entry.session.reset();
}

}  // namespace weft
