// Short forms of descriptions.
#include "documents/command_entry.hpp"

#include <algorithm>
#include <sstream>

namespace weft::command {

std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string first_clause(const std::string& description) {
  const std::string line = one_line(description);
  std::size_t end = line.size() - line.ends_with('.');
  for (const char* mark : {". ", "; ", ": ", " ("}) end = std::min(end, line.find(mark));
  return line.substr(0, end);
}

}  // namespace weft::command
