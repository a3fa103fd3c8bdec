// The executable of the `weft` command.
#include <mpi.h>

#include "program.hpp"

int main(int argc, char** argv) {
  const int code = weft::command::start(argc, argv);
  MPI_Finalize();
  return code;
}
