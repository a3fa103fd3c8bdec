// Failed plans are never freed, nor are plans that a rank still has in MPI_Finalize. MPI keeps the
// memory of calls that not all ranks have made. In tests of these cases, LeakSanitizer ignores the
// memory that is allocated meanwhile.
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
