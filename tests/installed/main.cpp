#include <mpi.h>

#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
}
