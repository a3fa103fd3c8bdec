// The conventions of the OSU micro-benchmarks, except that each message of a window has its own
// memory, as MPI requires for receives.
#include "net/point_to_point.hpp"

#include <algorithm>

namespace weft::net {
namespace {

constexpr Index most_bytes_in_flight = Index{16} << 20;
constexpr int tag = 0;

/// Neighbours on one node: ranks 0 and 1, 2 and 3.
std::vector<int> neighbours(const std::vector<int>& node) {
  return {node.begin(), node.begin() + std::ssize(node) / 2 * 2};
}

/// Corresponding ranks of two nodes.
std::vector<int> zipped(const std::vector<int>& one, const std::vector<int>& other) {
  std::vector<int> members;
  for (std::size_t place = 0; place < std::min(one.size(), other.size()); ++place)
    members.insert(members.end(), {one[place], other[place]});
  return members;
}

void add(std::vector<Pairs>& all, const std::string& where, const std::vector<int>& members) {
  all.push_back({where, {members[0], members[1]}});
  if (members.size() > 2) all.push_back({where, members});
}

void take_sample(PointToPoint& ends, PairRow& row, Convention convention) {
  if (!ends.takes_part()) return;
  const bool back_and_forth =
      convention == Convention::ping_pong && row.direction == Direction::one_way;
  const Step step = [&] {
    if (convention == Convention::ping_pong)
      ends.ping_pong(row.bytes, row.direction);
    else
      ends.window(row.bytes, row.window, row.direction);
  };
  if (row.steps == 0) row.steps = steps_for(ends.communicator(), step);
  const double seconds = seconds_per_step(ends.communicator(), row.steps, step);
  row.samples.seconds.push_back(seconds / (back_and_forth ? 2 : row.window));
}

/// Gives the samples to the ranks that slept.
void share_samples(const Job& job, PairRow& row) {
  const int root = row.pairs.members.front();
  auto count = static_cast<int>(row.samples.seconds.size());
  MPI_Bcast(&count, 1, MPI_INT, root, job.communicator);
  row.samples.seconds.resize(static_cast<std::size_t>(count));
  MPI_Bcast(row.samples.seconds.data(), count, MPI_DOUBLE, root, job.communicator);
}

std::vector<PairRow> rows_of(const Arguments& arguments, const Pairs& pairs,
                             Convention convention) {
  std::vector<PairRow> rows;
  for (const Direction direction : {Direction::one_way, Direction::both_ways})
    for (const Index bytes : arguments.sizes)
      rows.push_back({pairs, direction, bytes,
                      convention == Convention::window ? window_of(arguments, bytes) : 1});
  return rows;
}

}  // namespace

const char* to_string(Direction direction) {
  return direction == Direction::one_way ? "one way" : "both ways";
}

std::vector<Pairs> pairs_of(const Job& job) {
  std::vector<Pairs> all;
  const auto several =
      std::ranges::find_if(job.nodes, [](const std::vector<int>& node) { return node.size() > 1; });
  if (several != job.nodes.end()) add(all, "same node", neighbours(*several));
  if (job.nodes.size() > 1) add(all, "between nodes", zipped(job.nodes[0], job.nodes[1]));
  return all;
}

int window_of(const Arguments& arguments, Index bytes) {
  const Index fitting = std::max<Index>(2, most_bytes_in_flight / bytes);
  return static_cast<int>(std::min<Index>(arguments.window, fitting));
}

PointToPoint::PointToPoint(const Job& job, const Pairs& pairs, Index bytes) {
  const auto place = std::ranges::find(pairs.members, job.rank);
  const bool member = place != pairs.members.end();
  rank_ = static_cast<int>(place - pairs.members.begin());
  partner_ = rank_ ^ 1;
  MPI_Comm_split(job.communicator, member ? 0 : MPI_UNDEFINED, rank_, &communicator_);
  agree(job.communicator, [&] {
    if (!member) return;
    sent_.assign(static_cast<std::size_t>(bytes), 1);
    received_.assign(static_cast<std::size_t>(bytes), 0);
  });
}

PointToPoint::~PointToPoint() {
  if (takes_part()) MPI_Comm_free(&communicator_);
}

void PointToPoint::ping_pong(Index bytes, Direction direction) {
  const auto count = static_cast<int>(bytes);
  const auto send = [&] { MPI_Send(sent_.data(), count, MPI_BYTE, partner_, tag, communicator_); };
  const auto receive = [&] {
    MPI_Recv(received_.data(), count, MPI_BYTE, partner_, tag, communicator_, MPI_STATUS_IGNORE);
  };
  if (direction == Direction::both_ways)
    MPI_Sendrecv(sent_.data(), count, MPI_BYTE, partner_, tag, received_.data(), count, MPI_BYTE,
                 partner_, tag, communicator_, MPI_STATUS_IGNORE);
  else if (rank_ < partner_)
    send(), receive();
  else
    receive(), send();
}

void PointToPoint::post(Index bytes, int messages, bool sending) {
  for (int message = 0; message < messages; ++message) {
    MPI_Request& request = requests_.emplace_back();
    char* const data = (sending ? sent_ : received_).data() + message * bytes;
    const auto count = static_cast<int>(bytes);
    if (sending)
      MPI_Isend(data, count, MPI_BYTE, partner_, tag, communicator_, &request);
    else
      MPI_Irecv(data, count, MPI_BYTE, partner_, tag, communicator_, &request);
  }
}

void PointToPoint::window(Index bytes, int messages, Direction direction) {
  const bool first = rank_ < partner_;
  requests_.clear();
  requests_.reserve(2 * static_cast<std::size_t>(messages));  // requests must not move
  if (direction == Direction::both_ways || !first) post(bytes, messages, false);
  if (direction == Direction::both_ways || first) post(bytes, messages, true);
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  if (direction == Direction::both_ways) return;
  int answer = 0;
  if (first)
    MPI_Recv(&answer, 1, MPI_INT, partner_, tag, communicator_, MPI_STATUS_IGNORE);
  else
    MPI_Send(&answer, 1, MPI_INT, partner_, tag, communicator_);
}

std::vector<PairRow> measure_pairs(const Arguments& arguments, const Job& job,
                                   Convention convention) {
  const std::vector<Pairs> groups = pairs_of(job);
  Index most = 0;
  for (const Index bytes : arguments.sizes)
    most = std::max(most,
                    bytes * (convention == Convention::window ? window_of(arguments, bytes) : 1));
  std::vector<std::unique_ptr<PointToPoint>> ends;
  std::vector<std::vector<PairRow>> rows;
  for (const Pairs& pairs : groups) {
    ends.push_back(std::make_unique<PointToPoint>(job, pairs, most));
    rows.push_back(rows_of(arguments, pairs, convention));
  }
  std::vector<Step> turns;
  for (std::size_t group = 0; group < groups.size(); ++group)
    turns.emplace_back([&, group] {
      for (PairRow& row : rows[group]) take_sample(*ends[group], row, convention);
      sleep_until_all_arrive(job.communicator);
    });
  take_turns(job.communicator, arguments.repeats, turns);
  std::vector<PairRow> all;
  for (std::vector<PairRow>& some : rows)
    for (PairRow& row : some) {
      share_samples(job, row);
      all.push_back(std::move(row));
    }
  return all;
}

Link::Link(const Arguments& arguments, const Job& job) : job_(job) {
  constexpr Index bytes = Index{1} << 20;
  row_ = {pairs_of(job).back(), Direction::both_ways, bytes, window_of(arguments, bytes)};
  ends_ = std::make_unique<PointToPoint>(job, row_.pairs, bytes * row_.window);
}

void Link::take() {
  // TCP starts slowly after a pause, and the exchanges compared with this link do not pause.
  if (ends_->takes_part()) ends_->window(row_.bytes, row_.window, row_.direction);
  take_sample(*ends_, row_, Convention::window);
  sleep_until_all_arrive(job_.communicator);
  share_samples(job_, row_);
}

}  // namespace weft::net
