// Members are merged by node and then by the classes of their routes, so that a group costs one
// step for each pair of classes.
#include "network/link_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {
namespace {

constexpr Index most_flows = Index{1} << 18U;  // of a leg: two megabytes, all of the longest ring

std::size_t size(Index count) { return static_cast<std::size_t>(count); }

}  // namespace

void LinkLoads::ClassSums::add(Index name, double value) {
  if (value == 0) return;
  if (at[name] == 0) present.push_back(name);
  at[name] += value;
}

void LinkLoads::ClassSums::clear() {
  for (const Index name : present) at[name] = 0;
  present.clear();
}

LinkLoads::LinkLoads(const Network& network, Detail detail)
    : routing_(network.routing(detail)),
      links_(size(routing_->links())),
      member_of_(size(network.places()), -1) {
  for (const Enclosure& one : routing_->enclosures()) {
    const std::vector<double> none(size((network.places() + one.places - 1) / one.places));
    around_.push_back({none, none});
  }
  Index classes = network.places();  // as many as there are nodes
  for (int leg = 0; leg < routing_->legs(); ++leg) {
    const Index sources = routing_->source_classes(leg), targets = routing_->target_classes(leg);
    classes = std::max({classes, sources, targets});
    flows_.emplace_back(size(sources <= most_flows / targets ? sources * targets : 0));
  }
  sources_.at.assign(size(classes), 0);
  targets_.at.assign(size(classes), 0);
}

void LinkLoads::add(const std::vector<Member>& group) {
  std::vector<Member> merged;
  for (const Member& member : group) {
    int& number = member_of_[member.place];
    if (number < 0) {
      number = static_cast<int>(merged.size());
      merged.push_back({member.place, 0, 0});
    }
    merged[number].bytes += member.bytes;
    merged[number].weight += member.weight;
  }
  for (const Member& member : merged) member_of_[member.place] = -1;
  if (merged != waiting_) {
    settle();
    waiting_ = std::move(merged);
  }
  ++times_;
}

void LinkLoads::settle() {
  double bytes = 0, weight = 0;
  for (const Member& member : waiting_) bytes += member.bytes, weight += member.weight;
  if (waiting_.size() > 1 && weight > 0) {
    for (std::size_t kind = 0; kind < around_.size(); ++kind) add_around(kind, bytes, weight);
    for (int leg = 0; leg < routing_->legs(); ++leg) add_leg(leg, weight);
  }
  times_ = 0;
}

void LinkLoads::add_around(std::size_t kind, double bytes, double weight) {
  const Index places = routing_->enclosures()[kind].places;
  for (const Member& member : waiting_) {
    sources_.add(member.place / places, member.bytes);
    targets_.add(member.place / places, member.weight / weight);
  }
  for (const Index one : sources_.present)
    around_[kind].out[one] += times_ * sources_.at[one] * (1 - targets_.at[one]);
  for (const Index one : targets_.present)
    around_[kind].in[one] += times_ * (bytes - sources_.at[one]) * targets_.at[one];
  sources_.clear();
  targets_.clear();
}

void LinkLoads::add_leg(int leg, double weight) {
  for (const Member& member : waiting_) {
    sources_.add(routing_->source_class(leg, member.place), times_ * member.bytes);
    targets_.add(routing_->target_class(leg, member.place), member.weight / weight);
  }
  std::vector<double>& flows = flows_[leg];
  const Index row = routing_->target_classes(leg);
  for (const Index source : sources_.present)
    for (const Index target : targets_.present) {
      const double bytes = sources_.at[source] * targets_.at[target];
      if (flows.empty())
        add_flow(leg, source, target, bytes);
      else
        flows[source * row + target] += bytes;
    }
  sources_.clear();
  targets_.clear();
}

void LinkLoads::add_flow(int leg, Index source, Index target, double bytes) {
  taken_.clear();
  routing_->add_links(leg, source, target, taken_);
  for (const Index link : taken_) links_[link] += bytes;
}

BusiestLink LinkLoads::busiest() {
  settle();
  waiting_.clear();
  for (int leg = 0; leg < routing_->legs(); ++leg) {
    const Index row = routing_->target_classes(leg);
    for (Index flow = 0; flow < std::ssize(flows_[leg]); ++flow)
      if (const double bytes = std::exchange(flows_[leg][flow], 0); bytes > 0)
        add_flow(leg, flow / row, flow % row, bytes);
  }
  BusiestLink busiest;
  const auto consider = [&](double bytes, auto&& name) {
    // Sums in another order differ by rounding, which must not choose the name.
    if (bytes > busiest.bytes * (1 + 1e-12)) busiest = {bytes, name()};
  };
  for (Index link = 0; link < std::ssize(links_); ++link)
    consider(links_[link] / static_cast<double>(routing_->width(link)),
             [&] { return routing_->link_name(link); });
  for (std::size_t kind = 0; kind < around_.size(); ++kind) {
    const Enclosure& enclosure = routing_->enclosures()[kind];
    if (!enclosure.has_links) continue;
    const auto width = static_cast<double>(enclosure.width);
    for (std::size_t one = 0; one < around_[kind].out.size(); ++one) {
      consider(around_[kind].out[one] / width,
               [&] { return fmt::format("out of {} {}", enclosure.name, one); });
      consider(around_[kind].in[one] / width,
               [&] { return fmt::format("into {} {}", enclosure.name, one); });
    }
  }
  return busiest;
}

double LinkLoads::mean_route() const {
  const auto sum = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  const double moved = sum(around_.front().out);
  double taken = sum(links_);
  for (std::size_t kind = 0; kind < around_.size(); ++kind)
    if (routing_->enclosures()[kind].has_links) taken += 2 * sum(around_[kind].out);  // and in
  return moved > 0 ? taken / moved : 0;
}

}  // namespace weft
