// Makes waiting MPICH ranks yield; `run` preloads it if there are more ranks than cores. It is not
// part of the library.
//
// Debian's MPICH polls for messages without yielding, so a waiting rank occupies the core that the
// other rank needs: with 8 ranks on 2 cores a barrier takes 35 ms, and 0.3 ms with this file.
// (Open MPI has mpi_yield_when_idle for the same purpose; MPICH 5 yields by itself.)
#include <dlfcn.h>
#include <time.h>

using Progress = unsigned (*)(void*);

// Python loads MPICH, and with it UCX, where RTLD_NEXT does not look.
static Progress find_original() {
  constexpr const char* name = "ucp_worker_progress";
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), name);
  return reinterpret_cast<Progress>(found);
}

// MPICH's waiting loop calls this function in every iteration, and it is the only part of the loop
// that can be replaced. It sleeps as briefly as possible (about 50 us) instead of calling
// sched_yield, which may cost a time slice of milliseconds on a busy machine.
extern "C" unsigned ucp_worker_progress(void* worker) {
  static const Progress original = find_original();
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

// UCX unloads modules that it does not use. LeakSanitizer then reports their memory as leaks at
// unknown places; without unloading, that memory remains reachable.
extern "C" int dlclose(void*) noexcept { return 0; }
