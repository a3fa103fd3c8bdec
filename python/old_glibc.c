/* What GCC's libstdc++ of today wants of the C library, for systems whose glibc is older. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

/* glibc 2.32: whether the process has one thread. 0 means perhaps more, and is always right. */
char __libc_single_threaded;

/* glibc 2.36: a random number, for std::random_device. */
uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
  return number;
}

/* glibc 2.30: waits until `limit` on the given clock. The older function knows CLOCK_REALTIME
 * alone, so the time that is left is added to the present time there; if that clock is set
 * meanwhile, the wait is longer or shorter. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* limit) {
  struct timespec now, until;
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &until) != 0) return EINVAL;
  until.tv_sec += limit->tv_sec - now.tv_sec;
  until.tv_nsec += limit->tv_nsec - now.tv_nsec;
  for (; until.tv_nsec < 0; until.tv_nsec += 1000000000) --until.tv_sec;
  for (; until.tv_nsec >= 1000000000; until.tv_nsec -= 1000000000) ++until.tv_sec;
  return pthread_cond_timedwait(condition, mutex, &until);
}
