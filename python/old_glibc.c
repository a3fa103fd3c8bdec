/* What GCC's static libstdc++ of today wants of the C library, for systems whose glibc is older. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* glibc 2.32: whether the process has one thread. 0 means perhaps more, and is always right. */
char __libc_single_threaded;

/* glibc 2.36: a random number, for std::random_device. */
uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
  return number;
}
