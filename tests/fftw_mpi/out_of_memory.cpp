// A program whose memory ends when it makes a plan: an exception of the drop-in must not reach it,
// since it may be in C. The job ends with a message.
#include <fftw3-mpi.h>

#include <cstdlib>
#include <new>

static bool memory_ends = false;

void* operator new(std::size_t size) {
  void* const memory = memory_ends ? nullptr : std::malloc(size);
  if (!memory) {
    memory_ends = false;  // the message needs some
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_complex numbers[64];
  memory_ends = true;
  fftw_mpi_plan_dft_2d(8, 8, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  MPI_Finalize();
  return 0;
}
