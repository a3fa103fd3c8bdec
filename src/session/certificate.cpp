// Blocks enter the reduction with random signs and sizes, so that errors of several cannot cancel.
#include "session/certificate.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "machine/clock.hpp"
#include "session/rounding.hpp"

namespace weft {
namespace {

constexpr double patience_seconds = 1;
/// How far rounding may go, in units of its typical size.
constexpr double margin = 32;
/// Sums of squares of smaller numbers underflow.
constexpr double smallest = 1e-150;
/// And of numbers larger than its root overflow, if not at once then after a transform.
constexpr double largest_square = 1e250;

/// The coefficient of a block in the sum; its sender and its receiver compute the same one.
double coefficient(std::size_t exchange, int sender, int receiver) {
  const auto whole = static_cast<double>(exchange + 1) * 0.7548776662466927 +
                     static_cast<double>(sender) * 0.5698402909980532 +
                     static_cast<double>(receiver) * 0.6180339887498949;
  return 0.5 + (whole - std::floor(whole));
}

/// From the sum of a pass's output to that of the data sent.
double factor_of(const PassSums& sums) { return sums.is_scaled ? 1 : sums.factor * sums.scale; }
/// What turns a pass's input sum into its output sum.
double gain_of(const PassSums& sums) { return sums.is_scaled ? sums.factor * sums.scale : 1; }

std::complex<double> difference_of(const PassSums& sums) {
  if (!sums.comparable) return 0;
  const std::complex<double> found =
      sums.source->total().value * gain_of(sums) - sums.target->total().value;
  return sums.real_only ? found.real() : found;
}

}  // namespace

Certificate::Certificate(Communicator communicator, Program& program, int first, int count,
                         std::string call)
    : communicator_(std::move(communicator)),
      program_(program),
      first_(first),
      fields_(static_cast<std::size_t>(count)),
      stages_(program.route().stages.size()),
      exchanges_(program.route().exchanges.size()),
      call_(std::move(call)) {}

/// A call that has failed on this rank leaves its reduction behind.
Certificate::~Certificate() {
  const auto begin = Clock::now();
  int done = request_ == MPI_REQUEST_NULL;
  while (!done && seconds_between(begin, Clock::now()) < patience_seconds) {
    if (MPI_Test(&request_, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    sched_yield();
  }
}

bool Certificate::advance() {
  while (state_ != State::done) {
    if (state_ == State::summing) {
      start_comparing();
      continue;
    }
    int arrived = 0;
    check_mpi(MPI_Test(&request_, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    if (!arrived) return false;
    if (state_ == State::comparing) {
      find_compared();
      if (is_right())
        state_ = State::done;
      else
        start_exchanging();
    } else if (state_ == State::exchanging) {
      start_gathering();
    } else {
      failure_ = text();
      state_ = State::done;
    }
  }
  return true;
}

void Certificate::add_passes(std::size_t field) {
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    const PassSums& sums =
        *program_.sums(first_ + static_cast<int>(field), static_cast<int>(stage));
    Difference& difference = differences_[field * points() + stage];
    // Sizes, since errors of several ranks must not cancel.
    difference.real = std::abs(difference_of(sums));
    const double gain = gain_of(sums);
    difference.square =
        std::max(sums.source->total().square * gain * gain, sums.target->total().square);
    if (stage == 0) difference.given = sums.source->total().square;
    if (program_.route().stages[stage].is_fused()) difference.given = sums.target->total().square;
  }
}

void Certificate::add_exchanges(std::size_t field) {
  const auto number = first_ + static_cast<int>(field);
  const int rank = program_.rank();
  for (std::size_t e = 0; e < exchanges_; ++e) {
    const PassSums& before = *program_.sums(number, static_cast<int>(e));
    const PassSums& after = *program_.sums(number, static_cast<int>(e) + 1);
    const std::size_t place = field * exchanges_ + e;
    std::complex<double> total = 0;
    double square = 0;
    const auto add = [&](const BlockSums& sums, bool sends, double factor,
                         std::vector<double>& sides) {
      for (std::size_t b = 0; b < sums.blocks().size(); ++b) {
        const int peer = sums.blocks()[b].peer;
        const BlockSums::Sum sum = sums.of_block(b);
        const std::complex<double> value = sum.value * factor;
        double* const side =
            &sides[2 * (static_cast<std::size_t>(peer) * fields_ * exchanges_ + place)];
        side[0] = value.real(), side[1] = value.imag();
        total += value * (sends ? coefficient(e, rank, peer) : -coefficient(e, peer, rank));
        if (sends) square += sum.square * factor * factor;
      }
    };
    add(*before.target, true, factor_of(before), sent_);
    add(*after.source, false, 1, received_);
    differences_[field * points() + stages_ + e] = {total.real(), total.imag(), square, 0};
  }
}

void Certificate::start_comparing() {
  const auto sides = 2 * static_cast<std::size_t>(communicator_.size()) * fields_ * exchanges_;
  sent_.assign(sides, 0);
  received_.assign(sides, 0);
  differences_.assign(fields_ * points(), {});
  for (std::size_t field = 0; field < fields_; ++field) {
    program_.sum_delivered(first_ + static_cast<int>(field));
    add_passes(field);
    add_exchanges(field);
  }
  state_ = State::comparing;
  check_mpi(
      MPI_Iallreduce(MPI_IN_PLACE, differences_.data(), static_cast<int>(4 * differences_.size()),
                     MPI_DOUBLE, MPI_SUM, communicator_.get(), &request_),
      "MPI_Iallreduce");
}

double Certificate::pass_tolerance(int pass) const {
  const Stage& stage = program_.route().stages[pass];
  const auto elements = static_cast<double>(volume(stage.from.global()));
  return margin * epsilon_of(stage.input.precision) * std::sqrt(1 + std::log2(1 + elements));
}

double Certificate::exchange_tolerance(int exchange) const {
  const PassSums& sums = *program_.sums(first_, exchange);
  const Element& element = program_.route().exchanges[exchange].element;
  double rounding = epsilon_of(element.wire);
  // On some ranks a sum may have been taken before the factors, but all must decide alike.
  if (sums.factor * sums.scale != 1) rounding += epsilon_of(element.precision);
  const auto elements =
      static_cast<double>(volume(program_.route().exchanges[exchange].from.global()));
  // Sums of different order: their rounding grows with the number of rows.
  return 8 * rounding + margin * epsilon_of(Precision::double_) * (1 + std::pow(elements, 0.25));
}

double Certificate::tolerance(std::size_t point) const {
  return point < stages_ ? pass_tolerance(static_cast<int>(point))
                         : exchange_tolerance(static_cast<int>(point - stages_));
}

/// What the caller gives may be infinite or not a number. Then everything after it is, and nothing
/// can be compared: up to the function of a round trip, which may give other numbers.
void Certificate::find_compared() {
  compared_.assign(differences_.size(), false);
  for (std::size_t field = 0; field < fields_; ++field) {
    bool is_finite = false;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      const std::size_t pass = field * points() + stage;
      if (stage == 0 || program_.route().stages[stage].is_fused())
        is_finite = differences_[pass].given < largest_square;
      compared_[pass] = is_finite;
      if (stage < exchanges_) compared_[pass + stages_] = is_finite;
    }
  }
}

bool Certificate::is_right() const {
  for (std::size_t at = 0; at < differences_.size(); ++at) {
    if (!compared_[at]) continue;
    const Difference& found = differences_[at];
    const double allowed = tolerance(at % points()) * std::sqrt(found.square) + smallest;
    if (!(std::hypot(found.real, found.imaginary) <= allowed) || !std::isfinite(allowed))
      return false;
  }
  return true;
}

void Certificate::start_exchanging() {
  state_ = State::exchanging;
  const auto count = static_cast<int>(2 * fields_ * exchanges_);
  arrived_.resize(sent_.size());
  check_mpi(MPI_Ialltoall(sent_.data(), count, MPI_DOUBLE, arrived_.data(), count, MPI_DOUBLE,
                          communicator_.get(), &request_),
            "MPI_Ialltoall");
}

/// The first error along the route, since one that is not a number spreads to everything after it;
/// of those at one place the largest.
bool Certificate::Finding::is_worse_than(const Finding& other) const {
  const bool fails = error > 1, other_fails = other.error > 1;
  if (fails != other_fails) return fails;
  if (fails && place != other.place) return place < other.place;
  return error > other.error;
}

Certificate::Finding Certificate::finding(std::size_t field, std::size_t point,
                                          double difference) const {
  Finding found;
  const double norm = std::sqrt(differences_[field * points() + point].square);
  if (!compared_[field * points() + point] || difference == 0 || norm == 0) return found;
  found.relative = difference / norm;
  found.error = found.relative / tolerance(point);
  if (std::isnan(found.error)) found.error = std::numeric_limits<double>::infinity();
  found.place = static_cast<int>(point < stages_ ? 2 * point : 2 * (point - stages_) + 1);
  found.receiver = program_.rank();
  found.field = static_cast<int>(field);
  return found;
}

Certificate::Finding Certificate::worst() const {
  Finding worst;
  const auto keep = [&](const Finding& found) {
    if (found.is_worse_than(worst)) worst = found;
  };
  for (std::size_t field = 0; field < fields_; ++field)
    for (std::size_t stage = 0; stage < stages_; ++stage)
      keep(finding(field, stage,
                   std::abs(difference_of(*program_.sums(first_ + static_cast<int>(field),
                                                         static_cast<int>(stage))))));
  const std::size_t stride = fields_ * exchanges_;
  for (std::size_t at = 0; at < received_.size() / 2; ++at) {
    const std::size_t place = at % stride;
    Finding found = finding(place / exchanges_, stages_ + place % exchanges_,
                            std::hypot(arrived_[2 * at] - received_[2 * at],
                                       arrived_[2 * at + 1] - received_[2 * at + 1]));
    found.sender = static_cast<int>(at / stride);
    keep(found);
  }
  return worst;
}

void Certificate::start_gathering() {
  state_ = State::gathering;
  findings_.assign(static_cast<std::size_t>(communicator_.size()), {});
  Finding& own = findings_[static_cast<std::size_t>(communicator_.rank())];
  own = worst();
  host_name().copy(own.host, sizeof own.host - 1);
  check_mpi(
      MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, findings_.data(),
                     static_cast<int>(sizeof(Finding)), MPI_BYTE, communicator_.get(), &request_),
      "MPI_Iallgather");
}

std::string Certificate::text() const {
  const Finding* worst = &findings_.front();
  for (const Finding& finding : findings_)
    if (finding.is_worse_than(*worst)) worst = &finding;
  const auto name = [&](int rank) {
    return fmt::format("rank {} (host {})", rank, findings_[static_cast<std::size_t>(rank)].host);
  };
  const std::string call = fields_ == 1 ? call_ : fmt::format("{}: field {}", call_, worst->field);
  if (worst->place < 0)
    return fmt::format("{}: the result is wrong, and no single rank is at fault", call_);
  const int number = worst->place / 2;
  const bool is_finite = std::isfinite(worst->relative);
  const std::string error = is_finite ? fmt::format("relative error {:.1e}", worst->relative)
                                      : "it is not finite any more";
  if (worst->place % 2 == 1) {
    const Wire wire = program_.route().exchanges[number].element.wire;
    const bool may_overflow = !is_finite && wire != Wire::exact;
    return fmt::format(
        "{}: the data of exchange {} ({}) from {} to {} arrived altered: {}; {}suspect the memory "
        "or network of these hosts, or the MPI library",
        call, number, program_.route().methods[number]->name, name(worst->sender),
        name(worst->receiver), error,
        may_overflow ? fmt::format("if it is not too large for wire={}, ", to_string(wire)) : "");
  }
  return fmt::format(
      "{}: pass {} on {} computed a wrong result: {}; {}suspect the memory or processor of this "
      "host, or the FFT engine",
      call, number, name(worst->receiver), error,
      is_finite ? "" : "if its numbers are not too large for their precision, ");
}

}  // namespace weft
