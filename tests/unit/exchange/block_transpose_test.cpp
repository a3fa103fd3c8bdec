// Compares transposes of block matrices with the definition, with scratch memory for a block and
// for less.
#include "exchange/block_transpose.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weft {
namespace {

void expect_transposed(Index rows, Index columns, Index bytes, std::size_t scratch_bytes) {
  const auto entry = [&](Index row, Index column, Index byte) {
    return static_cast<std::byte>((row * columns + column) * 7 + byte * 3);
  };
  std::vector<std::byte> matrix;
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column)
      for (Index byte = 0; byte < bytes; ++byte) matrix.push_back(entry(row, column, byte));
  std::vector<std::byte> scratch(scratch_bytes);
  transpose_blocks(matrix.data(), rows, columns, bytes, scratch);
  bool right = true;
  auto found = matrix.begin();
  for (Index column = 0; column < columns; ++column)
    for (Index row = 0; row < rows; ++row)
      for (Index byte = 0; byte < bytes; ++byte) right &= *found++ == entry(row, column, byte);
  EXPECT_TRUE(right) << rows << " x " << columns << " blocks of " << bytes << " bytes, scratch "
                     << scratch_bytes;
}

TEST(BlockTransposeTest, IsTheTranspose) {
  for (Index rows = 1; rows <= 12; ++rows)
    for (Index columns = 1; columns <= 12; ++columns)
      for (const Index bytes : {1, 8, 100})
        for (const std::size_t scratch : {1, 30, 100, 1000})
          expect_transposed(rows, columns, bytes, scratch);
}

}  // namespace
}  // namespace weft
