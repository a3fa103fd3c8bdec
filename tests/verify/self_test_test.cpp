// Plans that compute something else than they were asked for: their parts are made for another
// request, so that each of them works, and only the plan's self-test can know.
#include "make/self_test.hpp"

#include <gtest/gtest.h>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft {
namespace {

using test::error_of;
using test::expect_words;

class SelfTestTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "shared" && !test::on_one_node()) GTEST_SKIP() << "needs common memory";
  }
  static RouteRequest request(std::vector<Kind> kinds, const std::string& more = "") {
    return {Transform({12, 10, 16}, std::move(kinds)),
            Options::parse("verify=1, exchange=" + GetParam() + more),
            {},
            {}};
  }
};

/// The message of the self-test, for a plan that was made for another request.
std::string message_for(const RouteRequest& asked, PlannedRequest made, const Job& job) {
  made.request = asked;
  Session session(job, std::move(made));
  return error_of([&] { self_test(session); });
}

std::string message_for(const RouteRequest& asked, const RouteRequest& made) {
  const Job job = join_job(MPI_COMM_WORLD, 0);
  return message_for(asked, planned(job, made), job);
}

TEST_P(SelfTestTest, FindsAnotherKind) {
  expect_words(message_for(request({Kind::dct2, Kind::dct2, Kind::dct2}),
                           request({Kind::dct2, Kind::dst2, Kind::dct2})),
               {"planning with verify: the new plan failed its test by an impulse: relative error",
                "most of it on rank "});
}

TEST_P(SelfTestTest, FindsAnotherSign) {
  // Seen from the other direction only the sign of the exponent is different.
  const Job job = join_job(MPI_COMM_WORLD, 0);
  RouteRequest asked = request({Kind::c2c, Kind::c2c, Kind::c2c});
  asked.options.output = OutputLayout::natural;
  asked.transform.scale.rule = Scale::Rule::ortho;
  PlannedRequest made = planned(job, asked);
  std::swap(made.routes.forward, made.routes.backward);
  expect_words(message_for(asked, std::move(made), job),
               {"the new plan failed its test by a shifted array"});
}

TEST_P(SelfTestTest, FindsPhasesThatAreNone) {
  expect_words(message_for(request({Kind::c2c, Kind::c2c, Kind::c2c}),
                           request({Kind::c2c, Kind::dct2, Kind::c2c})),
               {"the new plan failed its test by a shifted array"});
}

TEST_P(SelfTestTest, FindsAWayBackWithoutItsScale) {
  const Job job = join_job(MPI_COMM_WORLD, 0);
  const RouteRequest asked = request({Kind::c2c, Kind::c2c, Kind::r2c});
  RouteRequest other = asked;
  other.transform.scale.rule = Scale::Rule::forward;
  PlannedRequest made = planned(job, asked);
  made.routes.backward = planned(job, other).routes.backward;
  expect_words(message_for(asked, std::move(made), job),
               {"the new plan failed its test by the way back and forth"});
}

TEST_P(SelfTestTest, FindsRoundingThatNobodyAskedFor) {
  if (test::world_ranks() == 1) GTEST_SKIP() << "nothing is sent";
  if (GetParam() == "shared") GTEST_SKIP() << "has no wires";
  expect_words(message_for(request({Kind::dct2, Kind::dct2, Kind::dct2}),
                           request({Kind::dct2, Kind::dct2, Kind::dct2}, ", wire=bfloat16")),
               {"the new plan failed its test by linearity"});
}

TEST_P(SelfTestTest, NamesTheRank) {
  const Job job = join_job(MPI_COMM_WORLD, 0);
  const RouteRequest asked = request({Kind::c2c, Kind::c2c, Kind::c2c});
  PlannedRequest made = planned(job, asked);
  if (test::is_last_rank()) made.routes.forward.stages.back().factor *= 2;
  expect_words(message_for(asked, std::move(made), job),
               {"most of it on rank " + std::to_string(test::world_ranks() - 1)});
}

INSTANTIATE_TEST_SUITE_P(Exchanges, SelfTestTest, testing::Values("alltoallv", "shared", "p2p"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
