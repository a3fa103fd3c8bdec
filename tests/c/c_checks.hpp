// How tests call the C interface: statuses with their sentences, texts of any length.
#pragma once

#include <gtest/gtest.h>
#include <weft/weft.h>

#include <string>
#include <vector>
#include <weft/layout.hpp>

namespace weft::test {

inline void expect_success(weft_status status) { EXPECT_EQ(status, WEFT_SUCCESS) << weft_error(); }

/// A plan of C, which is dropped in the end.
class CPlan {
 public:
  CPlan(const Shape& shape, const std::string& text, MPI_Comm communicator = MPI_COMM_WORLD) {
    expect_success(weft_plan_create(communicator, shape.size(), &shape[0], text.c_str(), &plan_));
  }
  ~CPlan() { weft_plan_drop(&plan_); }
  CPlan(const CPlan&) = delete;
  CPlan& operator=(const CPlan&) = delete;
  operator weft_plan() const { return plan_; }

 private:
  weft_plan plan_ = nullptr;
};

/// The text that a call writes, by the rules of snprintf: its length is asked for first, and a
/// buffer that is too small gets its beginning.
template <class Call>
std::string text_of(Call&& call) {
  std::size_t length = 0, again = 0;
  expect_success(call(static_cast<char*>(nullptr), std::size_t{0}, &length));
  std::vector<char> buffer(length + 2, '#');
  expect_success(call(buffer.data(), length + 1, &again));
  EXPECT_EQ(again, length);
  EXPECT_EQ(buffer[length], '\0');
  EXPECT_EQ(buffer[length + 1], '#') << "written beyond the buffer";
  const std::string text = buffer.data();
  EXPECT_EQ(text.size(), length);
  std::vector<char> small(5, '#');
  expect_success(call(small.data(), std::size_t{4}, static_cast<std::size_t*>(nullptr)));
  EXPECT_EQ(std::string(small.data()), text.substr(0, 3));
  EXPECT_EQ(small[4], '#');
  return text;
}

inline void expect_part(const weft_part& part, const Layout& layout, int rank) {
  const Box box = layout.box(rank);
  ASSERT_EQ(part.box.axes, box.axes());
  for (int axis = 0; axis < box.axes(); ++axis) {
    EXPECT_EQ(part.box.lower[axis], box.lower[axis]);
    EXPECT_EQ(part.box.upper[axis], box.upper[axis]);
    EXPECT_EQ(part.stride[axis], layout.strides(rank)[axis]);
    for (Index place = 0; place < box.extent(axis); ++place) {
      const Index index = layout.index_at(axis, box.lower[axis] + place);
      EXPECT_TRUE(part.step[axis] == 0 || part.first[axis] + place * part.step[axis] == index);
    }
    EXPECT_EQ(part.order[axis], layout.order()[axis]);
  }
  EXPECT_EQ(part.elements, box.volume());
  EXPECT_EQ(part.allocated, layout.allocated(rank));
}

}  // namespace weft::test
