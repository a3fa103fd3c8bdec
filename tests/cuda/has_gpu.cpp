// Exits with 0 where Weft can use a GPU, else with 77 and the reason.
#include <cstdio>
#include <exception>

#include "device/device.hpp"

int main() {
  try {
    weft::open_device("cuda");
    return 0;
  } catch (const std::exception& error) {
    std::printf("no GPU: %s\n", error.what());
    return 77;
  }
}
