// How a fuzzer fails: it says what was expected and aborts, which libFuzzer and CTest both notice.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace weft::test {

inline void require(bool holds, const std::string& expectation, const std::string& about) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n%s\n", expectation.c_str(), about.c_str());
  std::abort();
}

/// A message is one line without control characters: what a file holds must neither mix the ranks'
/// messages nor reach the terminal as a command.
inline void require_message(const std::string& message) {
  for (const char character : message)
    require(static_cast<unsigned char>(character) >= 0x20 && character != 0x7f,
            "a message has no control characters", message);
}

}  // namespace weft::test
