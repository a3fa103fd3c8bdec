// Looks FFTW's functions up. A libfftw3_mpi of another MPI is refused: its calls would crash.
#include "real_library.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "api.hpp"
#include "report.hpp"

namespace weft::fftw {
namespace {

/// Whether the library calls the MPI that this one calls. Tools replace MPI_ names, not PMPI_.
bool has_our_mpi(void* library) {
  void* const theirs = dlsym(library, "PMPI_Comm_rank");
  return !theirs || theirs == dlsym(RTLD_DEFAULT, "PMPI_Comm_rank");
}

/// Opened with local names, so that nothing but this file calls it.
void* open_library(const std::string& name) {
  for (const char* ending : {".so.3", ".so"}) {
    void* const library = dlopen((name + ending).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library && has_our_mpi(library)) return library;
    if (library) dlclose(library);
  }
  return nullptr;
}

void* opened(const char* name) {
  const std::string library_name = std::is_same_v<Real, double> ? "fftw3" : "fftw3f";
  static void* const with_mpi = open_library("lib" + library_name + "_mpi");
  static void* const serial = open_library("lib" + library_name);
  void* found = with_mpi ? dlsym(with_mpi, name) : nullptr;
  return found || !serial ? found : dlsym(serial, name);
}

}  // namespace

void* find_real(const char* name) {
  const std::string full = prefix + "_" + name;
  void* const next = dlsym(RTLD_NEXT, full.c_str());
  return next ? next : opened(full.c_str());
}

bool is_in_front() {
  // Comparing addresses of functions says nothing: this library's own references to exported
  // functions go to whichever library comes first, too.
  static const char here = 0;
  Dl_info own;
  Dl_info called;
  return dladdr(&here, &own) != 0 &&
         dladdr(dlsym(RTLD_DEFAULT, (prefix + "_execute").c_str()), &called) != 0 &&
         own.dli_fbase == called.dli_fbase;
}

void end_without_real(const std::string& what) {
  end_job(prefix + "_" + what + " is forwarded to FFTW, of which no library for this MPI is found");
}

}  // namespace weft::fftw
