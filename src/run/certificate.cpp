// Blocks enter the reduction with random signs and sizes, so that errors of several cannot cancel.
#include "run/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "machine/until.hpp"
#include "transform/rounding.hpp"

namespace weft {
namespace {

constexpr double patience_seconds = 1;
/// How far rounding may go, in units of its typical size.
constexpr double margin = 32;
/// Sums of squares of smaller numbers underflow.
constexpr double smallest = 1e-150;
/// Sums of larger squares overflow, if not at once then after a transform.
constexpr double largest_square = 1e250;

/// The coefficient of a block in the sum; its sender and its receiver compute the same one.
double coefficient(std::size_t exchange, int sender, int receiver) {
  const auto whole = static_cast<double>(exchange + 1) * 0.7548776662466927 +
                     static_cast<double>(sender) * 0.5698402909980532 +
                     static_cast<double>(receiver) * 0.6180339887498949;
  return 0.5 + (whole - std::floor(whole));
}

/// The factor from the sum of a pass's output to the sum of the data sent.
double factor_of(const PassSums& sums) { return sums.is_scaled ? 1 : sums.factor * sums.scale; }
/// The factor from a pass's input sum to its output sum.
double gain_of(const PassSums& sums) { return sums.is_scaled ? sums.factor * sums.scale : 1; }

std::complex<double> difference_of(const PassSums& sums, const BlockSums::Sum& source,
                                   const BlockSums::Sum& target) {
  if (!sums.comparable) return 0;
  const std::complex<double> found = source.value * gain_of(sums) - target.value;
  return sums.real_only ? found.real() : found;
}

}  // namespace

Certificate::Certificate(Communicator communicator, Program& program, CertifiedCall call)
    : communicator_(std::move(communicator)), program_(program), call_(std::move(call)) {}

/// A call that has failed on this rank leaves its messages behind.
Certificate::~Certificate() {
  if (requests_.empty()) return;
  const auto are_over = [this] {
    int done = 0;
    const int status = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                                   MPI_STATUSES_IGNORE);
    return done != 0 || status != MPI_SUCCESS;
  };
  until(are_over, patience_seconds);
}

bool Certificate::have_ended() {
  if (requests_.empty()) return true;
  int ended = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &ended,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
  if (ended) requests_.clear();
  return ended != 0;
}

bool Certificate::advance() {
  while (state_ != State::done) {
    if (!have_ended()) return false;
    switch (state_) {
      case State::summing:
        start_comparing();
        break;
      case State::comparing:
        find_compared();
        if (is_right())
          state_ = State::done;
        else
          start_exchanging();
        break;
      case State::exchanging:
        start_searching();
        break;
      case State::searching:
        start_naming();
        break;
      default:
        failure_ = text();
        state_ = State::done;
    }
  }
  return true;
}

Certificate::Ends Certificate::ends(std::size_t field, std::size_t stage) const {
  const PassSums& pass = sums(field, stage);
  return {pass.source->by_block(), pass.target->by_block()};
}

void Certificate::add_passes(std::size_t field, const std::vector<Ends>& passes) {
  for (std::size_t stage = 0; stage < stages(); ++stage) {
    const PassSums& sums = this->sums(field, stage);
    Difference& difference = differences_[field * points() + stage];
    const BlockSums::Sum source = BlockSums::total(passes[stage].source),
                         target = BlockSums::total(passes[stage].target);
    // Absolute values, since errors of several ranks must not cancel.
    difference.real = std::abs(difference_of(sums, source, target));
    const double gain = gain_of(sums);
    difference.square = std::max(source.square * gain * gain, target.square);
    if (stage == 0) difference.given = source.square;
    if (program_.route().stages[stage].is_fused()) difference.given = target.square;
  }
}

void Certificate::add_exchanges(std::size_t field, const std::vector<Ends>& passes) {
  const int rank = program_.rank();
  for (std::size_t e = 0; e < exchanges(); ++e) {
    const PassSums& before = sums(field, e);
    const BlockSums& sent = *before.target;
    const BlockSums& received = *sums(field, e + 1).source;
    const double factor = factor_of(before);
    std::complex<double> total = 0;
    double square = 0;
    for (std::size_t b = 0; b < sent.blocks().size(); ++b) {
      const BlockSums::Sum& sum = passes[e].target[b];
      const std::complex<double> value = sum.value * factor;
      sides_[e].sent.push_back(value);
      total += value * coefficient(e, rank, sent.blocks()[b].peer);
      square += sum.square * factor * factor;
    }
    for (std::size_t b = 0; b < received.blocks().size(); ++b) {
      const std::complex<double> value = passes[e + 1].source[b].value;
      sides_[e].received.push_back(value);
      total -= value * coefficient(e, received.blocks()[b].peer, rank);
    }
    differences_[field * points() + stages() + e] = {total.real(), total.imag(), square, 0};
  }
}

void Certificate::start_comparing() {
  sides_.assign(exchanges(), {});
  differences_.assign(fields() * points(), {});
  for (std::size_t field = 0; field < fields(); ++field) {
    program_.sum_delivered(call_.first + static_cast<int>(field));
    std::vector<Ends> passes;
    for (std::size_t stage = 0; stage < stages(); ++stage) passes.push_back(ends(field, stage));
    add_passes(field, passes);
    add_exchanges(field, passes);
  }
  state_ = State::comparing;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, differences_.data(),
                           static_cast<int>(4 * differences_.size()), MPI_DOUBLE, MPI_SUM,
                           communicator_.get(), &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Iallreduce");
}

double Certificate::pass_tolerance(int pass) const {
  const Stage& stage = program_.route().stages[pass];
  const auto elements = static_cast<double>(volume(stage.from.global()));
  return margin * epsilon_of(stage.input.precision) * std::sqrt(1 + std::log2(1 + elements));
}

double Certificate::exchange_tolerance(int exchange) const {
  const PassSums& sums = this->sums(0, static_cast<std::size_t>(exchange));
  const Element& element = program_.route().exchanges[exchange].element;
  double rounding = epsilon_of(element.wire);
  // On some ranks a sum may have been taken before the factors, but all must decide alike.
  if (sums.factor * sums.scale != 1) rounding += epsilon_of(element.precision);
  const auto elements =
      static_cast<double>(volume(program_.route().exchanges[exchange].from.global()));
  // Both sides add in different orders, so their rounding grows with the number of rows.
  return 8 * rounding + margin * epsilon_of(Precision::double_) * (1 + std::pow(elements, 0.25));
}

double Certificate::tolerance(std::size_t point) const {
  return point < stages() ? pass_tolerance(static_cast<int>(point))
                          : exchange_tolerance(static_cast<int>(point - stages()));
}

/// The caller's data may be infinite or not a number. Then all later data are, and nothing can be
/// compared until the function of a round trip, which may give other numbers.
void Certificate::find_compared() {
  compared_.assign(differences_.size(), false);
  for (std::size_t field = 0; field < fields(); ++field) {
    bool is_finite = false;
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      const std::size_t pass = field * points() + stage;
      if (stage == 0 || program_.route().stages[stage].is_fused())
        is_finite = differences_[pass].given < largest_square;
      compared_[pass] = is_finite;
      if (stage < exchanges()) compared_[pass + stages()] = is_finite;
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

/// A rank reports the sums of its blocks only to the ranks that received the blocks.
void Certificate::start_exchanging() {
  state_ = State::exchanging;
  for (std::size_t e = 0; e < exchanges(); ++e) {
    Sides& sides = sides_[e];
    const auto& senders = sums(0, e + 1).source->blocks();
    const auto& receivers = sums(0, e).target->blocks();
    sides.arrived.resize(sides.received.size());
    for (std::size_t field = 0; field < fields(); ++field) {
      const auto tag = static_cast<int>(e * fields() + field);
      for (std::size_t b = 0; b < senders.size(); ++b)
        check_mpi(
            MPI_Irecv(&sides.arrived[field * senders.size() + b], 2, MPI_DOUBLE, senders[b].peer,
                      tag, communicator_.get(), &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Irecv");
      for (std::size_t b = 0; b < receivers.size(); ++b)
        check_mpi(
            MPI_Isend(&sides.sent[field * receivers.size() + b], 2, MPI_DOUBLE, receivers[b].peer,
                      tag, communicator_.get(), &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Isend");
    }
  }
}

/// The first error along the route is the worst, since a value that is not a number spreads to all
/// later data. At one place the largest error is the worst; of equal errors, the lowest rank's, so
/// that all ranks find the same.
bool Certificate::Finding::is_worse_than(const Finding& other) const {
  const bool fails = error > 1, other_fails = other.error > 1;
  if (fails != other_fails) return fails;
  if (fails && place != other.place) return place < other.place;
  if (error != other.error) return error > other.error;
  return receiver < other.receiver;
}

void Certificate::Finding::keep_worse(void* found, void* worst, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    if (static_cast<Finding*>(found)[i].is_worse_than(static_cast<Finding*>(worst)[i]))
      static_cast<Finding*>(worst)[i] = static_cast<Finding*>(found)[i];
}

Certificate::Finding Certificate::finding(std::size_t field, std::size_t point,
                                          double difference) const {
  Finding found;
  const double norm = std::sqrt(differences_[field * points() + point].square);
  if (!compared_[field * points() + point] || difference == 0 || norm == 0) return found;
  found.relative = difference / norm;
  found.error = found.relative / tolerance(point);
  if (std::isnan(found.error)) found.error = std::numeric_limits<double>::infinity();
  found.place = static_cast<int>(point < stages() ? 2 * point : 2 * (point - stages()) + 1);
  found.receiver = program_.rank();
  found.field = static_cast<int>(field);
  return found;
}

Certificate::Finding Certificate::worst() const {
  Finding worst;
  const auto keep = [&](const Finding& found) {
    if (found.is_worse_than(worst)) worst = found;
  };
  for (std::size_t field = 0; field < fields(); ++field) {
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      const Ends pass = ends(field, stage);
      keep(finding(field, stage,
                   std::abs(difference_of(sums(field, stage), BlockSums::total(pass.source),
                                          BlockSums::total(pass.target)))));
    }
    for (std::size_t e = 0; e < exchanges(); ++e) {
      const auto& senders = sums(field, e + 1).source->blocks();
      for (std::size_t b = 0; b < senders.size(); ++b) {
        const std::size_t at = field * senders.size() + b;
        Finding found =
            finding(field, stages() + e, std::abs(sides_[e].arrived[at] - sides_[e].received[at]));
        found.sender = senders[b].peer;
        keep(found);
      }
    }
  }
  return worst;
}

void Certificate::start_searching() {
  state_ = State::searching;
  worst_ = worst();
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op operation = MPI_OP_NULL;
  check_mpi(MPI_Type_contiguous(sizeof(Finding), MPI_BYTE, &type), "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  check_mpi(MPI_Op_create(Finding::keep_worse, 1, &operation), "MPI_Op_create");
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &worst_, 1, type, operation, communicator_.get(),
                           &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Iallreduce");
  // The reduction keeps them until it ends.
  check_mpi(MPI_Op_free(&operation), "MPI_Op_free");
  check_mpi(MPI_Type_free(&type), "MPI_Type_free");
}

/// All ranks know the ranks of the worst finding, but not the hosts of these ranks.
void Certificate::start_naming() {
  state_ = State::naming;
  for (const auto& [rank, host] :
       {std::pair(worst_.sender, hosts_.sender), std::pair(worst_.receiver, hosts_.receiver)}) {
    if (rank < 0) continue;
    host_name().copy(host, sizeof hosts_.sender - 1);
    check_mpi(MPI_Ibcast(host, sizeof hosts_.sender, MPI_CHAR, rank, communicator_.get(),
                         &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Ibcast");
  }
}

std::string Certificate::text() const {
  if (worst_.place < 0)
    return fmt::format("{}: the result is wrong, and no single rank is at fault", call_.name);
  const std::string call =
      call_.count == 1 ? call_.name : fmt::format("{}: field {}", call_.name, worst_.field);
  const std::string receiver = fmt::format("rank {} (host {})", worst_.receiver, hosts_.receiver);
  const int number = worst_.place / 2;
  const bool is_finite = std::isfinite(worst_.relative);
  const std::string error = is_finite ? fmt::format("relative error {:.1e}", worst_.relative)
                                      : "it is not finite any more";
  if (worst_.place % 2 == 1) {
    const Wire wire = program_.route().exchanges[number].element.wire;
    const bool may_overflow = !is_finite && wire != Wire::exact;
    return fmt::format(
        "{}: the data of exchange {} ({}) from rank {} (host {}) to {} arrived altered: {}; "
        "{}suspect the memory or network of these hosts, or the MPI library",
        call, number, program_.route().methods[number]->name, worst_.sender, hosts_.sender,
        receiver, error,
        may_overflow ? fmt::format("if it is not too large for wire={}, ", to_string(wire)) : "");
  }
  return fmt::format(
      "{}: pass {} on {} computed a wrong result: {}; {}suspect the memory or processor of this "
      "host, or the FFT engine",
      call, number, receiver, error,
      is_finite ? "" : "if its numbers are not too large for their precision, ");
}

}  // namespace weft
