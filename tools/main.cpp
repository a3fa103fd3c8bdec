// The executable of the `weft` command.
#include "program.hpp"

int main(int argc, char** argv) { return weft::command::start(argc, argv); }
