// Fuzzes headers of .npy files: what is accepted must survive being printed and parsed again.
#include "npy.hpp"

#include <cstdint>
#include <string>
#include <weft/error.hpp>

#include "require.hpp"

namespace weft::test {
namespace {

bool same(const npy::Header& one, const npy::Header& other) {
  return one.precision == other.precision && one.complex == other.complex &&
         one.big_endian == other.big_endian && one.fortran_order == other.fortran_order &&
         one.shape == other.shape && one.kind == other.kind &&
         one.stored_bytes == other.stored_bytes;
}

void check(const std::string& text) {
  npy::Header read;
  try {
    read = npy::parse(text);
  } catch (const Error& error) {
    return require_message(error.what());
  }
  require(read.data_offset <= static_cast<Index>(text.size()), "the header ends in the file", text);
  require(read.file_bytes() > read.data_offset, "the file has data", text);
  const std::string printed = npy::print(read);
  require(printed.size() % 64 == 0, "the data are aligned", printed);
  const npy::Header again = npy::parse(printed);
  require(same(read, again), "the same header is read again", printed);
  require(again.data_offset == static_cast<Index>(printed.size()), "its length as well", printed);
}

}  // namespace
}  // namespace weft::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::test::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
