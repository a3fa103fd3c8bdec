// Plans that have failed are never freed, MPI keeps what belongs to calls that not all ranks have
// made, and MPICH loses a part of what is freed inside MPI_Finalize. In tests that bring this about,
// LeakSanitizer ignores what is allocated meanwhile.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace weft::test {

#if defined(__SANITIZE_ADDRESS__)
using DeliberateLeaks = __lsan::ScopedDisabler;
#else
struct DeliberateLeaks {
  DeliberateLeaks() {}  // user-provided, so that a variable of this type counts as used
};
#endif

}  // namespace weft::test
