// Fuzzes files of wisdom: what is accepted, as either kind of entry, must survive being printed and
// parsed again.
#include <cstdint>
#include <string>
#include <weft/error.hpp>

#include "require.hpp"
#include "tune/wisdom_json.hpp"

namespace weft::test {
namespace {

template <class Entry>
void check(const std::string& text) {
  Entry read;
  try {
    read = parse_entry<Entry>(text);
  } catch (const Error& error) {
    return require_message(error.what());
  }
  const std::string printed = print_entry(read);
  require(parse_entry<Entry>(printed) == read, "the same entry is read again", printed);
  require(print_entry(parse_entry<Entry>(printed)) == printed, "the same is printed", printed);
  require(entry_name(read.first).size() < 64, "an entry has a short name", printed);
}

}  // namespace
}  // namespace weft::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  weft::test::check<weft::WisdomEntry>(text);
  weft::test::check<weft::FiguresEntry>(text);
  return 0;
}
