// Preloaded by `run` into ranks of MPICH when there are more ranks than cores; no part of the
// library.
//
// Debian's MPICH polls for messages without ever yielding, so a waiting rank keeps the core that
// the rank it waits for needs: with 8 ranks on 2 cores a barrier takes 35 ms, and 0.3 ms with this.
// (Open MPI has mpi_yield_when_idle for the same purpose, MPICH 5 yields by itself.)
#include <dlfcn.h>
#include <time.h>

// Every turn of MPICH's waiting loop asks UCX for news: the one place to wait that can be replaced.
// The shortest sleep (some 50 us) it is, not sched_yield: on a machine with other work to do a
// yield may cost a time slice of milliseconds.
extern "C" unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned (*)(void*);
  static const Progress original =
      reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  static thread_local int idle_turns = 0;
  const unsigned events = original(worker);
  idle_turns = events == 0 ? idle_turns + 1 : 0;
  if (idle_turns > 20) {
    idle_turns = 0;
    const timespec shortest{0, 1};
    nanosleep(&shortest, nullptr);
  }
  return events;
}

// UCX unloads modules that it has no use for, and what they leave behind looks to LeakSanitizer
// like a leak of the program, in an unknown place. What is not unloaded is still reachable.
extern "C" int dlclose(void*) noexcept { return 0; }
