// Fuzzes the two texts that users write, options and transforms: what is accepted must survive
// being printed and parsed again.
#include <cstdint>
#include <string>
#include <weft/error.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "require.hpp"

namespace weft::test {
namespace {

template <class Value>
void check(const std::string& text) {
  Value read;
  try {
    read = Value::parse(text);
  } catch (const Error&) {
    return;  // the message repeats what the user typed, whatever that is
  }
  const std::string printed = to_string(read);
  try {
    require(to_string(Value::parse(printed)) == printed, "the same is printed again", printed);
    if constexpr (requires { read == read; })
      require(Value::parse(printed) == read, "the same is read again", printed);
  } catch (const Error& error) {
    require(false, error.what(), printed);
  }
}

}  // namespace
}  // namespace weft::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  weft::test::check<weft::Options>(text);
  weft::test::check<weft::Transform>(text);
  return 0;
}
