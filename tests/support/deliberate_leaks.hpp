// Plans that have failed are never freed, nor are those that some rank still has in MPI_Finalize,
// and MPI keeps what belongs to calls that not all ranks have made. In tests that bring this about,
// LeakSanitizer ignores what is allocated meanwhile.
#pragma once

#include "support/sanitizers.hpp"

#if WEFT_TESTS_ADDRESSES
#include <sanitizer/lsan_interface.h>
#endif

namespace weft::test {

#if WEFT_TESTS_ADDRESSES
using DeliberateLeaks = __lsan::ScopedDisabler;
#else
struct DeliberateLeaks {
  DeliberateLeaks() {}  // user-provided, so that a variable of this type counts as used
};
#endif

}  // namespace weft::test
