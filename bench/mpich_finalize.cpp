// Works around a hang in MPI_Finalize; `cluster` preloads it into ranks of an MPICH that uses UCX.
// It is not part of the library.
//
// To close a TCP connection, UCX needs an answer from the other side. In MPI_Finalize, MPICH 4.0
// closes its connections and then reads from its launcher until all ranks have arrived, without
// making progress in UCX: a rank that closes slightly later waits for an answer forever. With this
// file, a rank that waits for its launcher continues to answer. read() is the one place where this
// needs no thread.
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

namespace {

void* worker = nullptr;   // this rank's UCX worker, once created
bool is_closing = false;  // no progress before that: MPICH is not ready for it while it starts

template <typename Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" __attribute__((weak)) unsigned ucp_worker_progress(void* worker);  // null in launchers

extern "C" int ucp_worker_create(void* context, const void* parameters, void** made) {
  const int status =
      original<int(void*, const void*, void**)>("ucp_worker_create")(context, parameters, made);
  worker = status == 0 ? *made : nullptr;
  return status;
}

extern "C" void ucp_worker_destroy(void* destroyed) {
  worker = nullptr;
  original<void(void*)>("ucp_worker_destroy")(destroyed);
}

extern "C" void* ucp_disconnect_nb(void* endpoint) {
  is_closing = true;
  return original<void*(void*)>("ucp_disconnect_nb")(endpoint);
}

extern "C" ssize_t read(int descriptor, void* bytes, size_t count) {
  static auto* const original_read = original<ssize_t(int, void*, size_t)>("read");
  constexpr int milliseconds = 1;
  pollfd news{descriptor, POLLIN, 0};
  while (is_closing && worker && poll(&news, 1, milliseconds) == 0) ucp_worker_progress(worker);
  return original_read(descriptor, bytes, count);
}
