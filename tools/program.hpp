// The `weft` command as a function, for the executable and for package weft of Python.
#pragma once

namespace weft::command {

/// Runs the command with the arguments of main and returns its exit code, which is the same on all
/// ranks. Collective over MPI_COMM_WORLD. Starts MPI and ends it, unless it is running already.
int start(int argc, char** argv);

}  // namespace weft::command
