// MPI libraries describe themselves in free text. This relies only on the common pattern: a name,
// perhaps the word "version" or a "v", then a number.
#include "mpi/library_name.hpp"

#include <mpi.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace weft {
namespace {

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::string short_mpi_name(const std::string& library_version) {
  std::string line = library_version.substr(0, library_version.find_first_of("\n,"));
  // Cray puts a title before it: "MPI VERSION    : CRAY MPICH version 8.1.4 (ANL base 3.4a2)".
  if (line.starts_with("MPI VERSION")) line.erase(0, line.find(':') + 1);
  std::istringstream words(line);
  std::string name;
  for (std::string word; words >> word;) {
    const std::size_t digit = word.starts_with('v') ? 1 : 0;
    const bool is_number = word.find_first_of("0123456789") == digit;
    if (is_number) return name + word.substr(digit);
    if (!is_any_of(word, {":", "version", "Version", "Version:"})) name += word + " ";
  }
  return line.empty() ? "unknown MPI" : line;
}

std::string mpi_name() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(library, &length);
  return short_mpi_name(std::string(library, static_cast<std::size_t>(length)));
}

}  // namespace weft
