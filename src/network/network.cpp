// Reads descriptions of networks. A table has the text of each kind's shape, and makes its routes.
#include "network/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <weft/error.hpp>

#include "layout/split.hpp"

namespace weft {
namespace {

constexpr int most_dimensions = 6;
constexpr int longest_ring = 512;
constexpr Index most_places = Index{1} << 24U;  // link loads then take some 100 MB

struct CostSetting {
  const char* name;
  double NetworkCosts::*cost;
  const char* unit;
  double least, most;
};
constexpr CostSetting cost_settings[] = {
    {"bandwidth", &NetworkCosts::bandwidth, "bytes per second", 1, 1e18},
    {"latency", &NetworkCosts::latency, "seconds", 1e-12, 10},
    {"message", &NetworkCosts::message, "seconds", 1e-12, 10}};

/// The whole text as a number of that type; nothing if it is no number, or less than `least`.
template <class Number>
std::optional<Number> number_in(const std::string& text, Number least) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least)) return {};
  return number;
}

/// "8x8x8": counts of at least 1. The bounds limit their number.
std::vector<int> counts_of(const std::string& shape, std::size_t least, std::size_t most) {
  std::vector<int> counts;
  for (const std::string& part : split(shape, 'x')) {
    const auto count = number_in<int>(part, 1);
    if (!count)
      throw Error(fmt::format("\"{}\" is no count; valid are whole numbers from 1", part));
    counts.push_back(*count);
  }
  if (counts.size() < least || counts.size() > most)
    throw Error(fmt::format(
        "\"{}\" has {} counts; valid are {}", shape, counts.size(),
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
  return counts;
}

}  // namespace

/// The meaning of a shape.
struct Network::Kind {
  const char* name;
  const char* shape;
  void (*read)(const std::string& shape, Network& network);
  MakeRouting make_routing;
};

const std::vector<Network::Kind>& Network::kinds() {
  static const std::vector<Kind> all{
      {"torus", "8x8x8",
       [](const std::string& shape, Network& network) {
         network.extents_ = counts_of(shape, 1, most_dimensions);
         if (const int longest = std::ranges::max(network.extents_); longest > longest_ring)
           throw Error(fmt::format("dimension {}: valid are up to {}", longest, longest_ring));
         network.extents_.insert(network.extents_.begin(), 1);  // nodes on a router
       },
       [](const Network& network, Detail detail) {
         return make_torus_routing({network.extents_.begin() + 1, network.extents_.end()},
                                   network.extents_[0], detail);
       }},
      {"fattree", "LEAF_HOSTSxLEAVES[:TAPER]",
       [](const std::string& shape, Network& network) {
         const std::vector<std::string> parts = split(shape, ':');
         network.extents_ = counts_of(parts[0], 2, 2);
         const auto taper = number_in<double>(parts.size() == 1 ? "1" : parts[1], 1e-3);
         const double uplinks = taper ? network.extents_[0] / *taper : 0;
         network.uplinks_ = static_cast<int>(uplinks);
         if (parts.size() > 2 || network.uplinks_ < 1 || network.uplinks_ != uplinks)
           throw Error(
               fmt::format("taper \"{}\": valid are numbers by which the {} links down from "
                           "a leaf can be divided",
                           parts.size() > 2 ? shape.substr(parts[0].size() + 1) : parts[1],
                           network.extents_[0]));
       },
       [](const Network& network, Detail detail) {
         return make_fat_tree_routing(network.extents_[0], network.extents_[1], network.uplinks_,
                                      detail);
       }},
      {"dragonfly", "GROUPSxROUTERSxHOSTS",
       [](const std::string& shape, Network& network) {
         network.extents_ = counts_of(shape, 3, 3);
         std::ranges::reverse(network.extents_);
       },
       [](const Network& network, Detail detail) {
         return make_dragonfly_routing(network.extents_[2], network.extents_[1],
                                       network.extents_[0], detail);
       }},
      {"crossbar", "64",
       [](const std::string& shape, Network& network) {
         network.extents_ = counts_of(shape, 1, 1);
       },
       [](const Network&, Detail) { return make_enclosed_routing(); }}};
  return all;
}

Network Network::crossbar(Index nodes) { return parse(fmt::format("crossbar:{}", nodes)); }

void Network::set(const std::string& setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  const std::string name = setting.substr(0, equals);
  const std::string value = setting.substr(std::min(equals + 1, setting.size()));
  const auto cost = std::ranges::find(cost_settings, name, &CostSetting::name);
  if (cost != std::end(cost_settings)) {
    const auto number = number_in<double>(value, cost->least);
    if (!number || *number > cost->most)
      throw Error(fmt::format("{} \"{}\": valid are {}, {} to {}", name, value, cost->unit,
                              cost->least, cost->most));
    costs_.*cost->cost = *number;
  } else if (name == "hosts" && text_.starts_with("torus:")) {
    extents_[0] = counts_of(value, 1, 1)[0];
  } else if (setting == "leaves=measured" && has_leaves()) {
    leaves_are_measured_ = true;
  } else {
    throw Error(
        fmt::format("setting \"{}\": valid are bandwidth=BYTES_PER_SECOND, latency=SECONDS, "
                    "message=SECONDS, of a torus hosts=NODES_ON_A_ROUTER, and of a fat tree "
                    "leaves=measured",
                    setting));
  }
}

Network Network::parse(const std::string& text) {
  std::istringstream stream(text);
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  const std::string what = words.empty() ? "" : words[0];
  const std::size_t colon = std::min(what.find(':'), what.size());
  const auto kind = std::ranges::find(kinds(), what.substr(0, colon), &Kind::name);
  try {
    if (kind == kinds().end()) {
      std::vector<std::string> valid;
      for (const Kind& one : kinds()) valid.push_back(fmt::format("{}:{}", one.name, one.shape));
      throw Error(fmt::format("valid are {}, and names of files that contain a \"/\"",
                              fmt::join(valid, ", ")));
    }
    Network network;
    network.text_ = fmt::format("{}", fmt::join(words, " "));
    network.make_routing_ = kind->make_routing;
    kind->read(what.substr(std::min(colon + 1, what.size())), network);
    for (std::size_t word = 1; word < words.size(); ++word) network.set(words[word]);
    if (network.places() > most_places)
      throw Error(fmt::format("has more than {} places for nodes", most_places));
    return network;
  } catch (const Error& error) {
    throw Error(fmt::format("network \"{}\": {}", text, error.what()));
  }
}

Index Network::places() const {
  Index product = 1;
  for (const int extent : extents_) product = std::min(product * extent, 2 * most_places);
  return product;
}

void Network::require_places(Index nodes) const {
  if (nodes > places())
    throw Error(fmt::format("network \"{}\": has {} places for nodes, and the job has {} nodes",
                            text_, places(), nodes));
}

NetworkFile parse_network_file(const std::string& content) {
  NetworkFile file;
  bool is_described = false;
  std::istringstream lines(content);
  std::string line;
  std::set<int> taken;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    std::istringstream stream(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words.empty()) continue;
    if (!std::exchange(is_described, true)) {
      file.network = Network::parse(line);
      continue;
    }
    const auto place = words.size() == 2 ? number_in<int>(words[1], 0) : std::nullopt;
    if (!place || *place >= file.network.places() ||
        !file.place_of_host.emplace(words[0], *place).second || !taken.insert(*place).second)
      throw Error(
          fmt::format("network: line {}, \"{}\": valid is the name of a host, once, and its "
                      "place, 0 to {}, which no other host has",
                      number, line, file.network.places() - 1));
  }
  if (!is_described) throw Error("network: the description is empty");
  if (file.network.leaves_are_measured() && !file.place_of_host.empty())
    throw Error("network: leaves=measured: valid is either that or the places of hosts");
  return file;
}

std::string network_text(const std::string& value) {
  if (value.find('/') == std::string::npos) return value;
  std::ifstream file(value);
  std::ostringstream content;
  if (!(content << file.rdbuf()))
    throw Error(fmt::format("network: the file {} cannot be read, or is empty", value));
  return content.str();
}

namespace {

/// The longest of the short distances between different nodes; 0 if distances have no two
/// distinct classes.
double longest_within_leaves(const std::vector<double>& distances, std::size_t nodes) {
  std::vector<double> sorted;
  for (std::size_t pair = 0; pair < distances.size(); ++pair)
    if (pair / nodes != pair % nodes) sorted.push_back(distances[pair]);
  std::ranges::sort(sorted);
  constexpr double clear_gap = 1.2;  // within a class, distances and noise differ by less
  double longest = 0, widest = clear_gap;
  for (std::size_t next = 1; next < sorted.size(); ++next)
    if (sorted[next] > widest * sorted[next - 1]) {
      widest = sorted[next] / sorted[next - 1];
      longest = sorted[next - 1];
    }
  return longest;
}

}  // namespace

std::vector<int> places_on_leaves(const Network& network, const std::vector<std::size_t>& leaf) {
  const int leaf_hosts = network.extents().front();
  std::map<std::size_t, int> number_of;
  std::vector<int> used, place;
  for (const std::size_t name : leaf) {
    const int number = number_of.emplace(name, static_cast<int>(used.size())).first->second;
    if (number == std::ssize(used)) used.push_back(0);
    const int host = used[static_cast<std::size_t>(number)]++;
    if (host == leaf_hosts || Index{number} * leaf_hosts >= network.places())
      throw Error(
          fmt::format("network \"{}\": too small for the job, which has {} nodes on one leaf "
                      "and {} leaves at least, as SLURM_TOPOLOGY_ADDR says",
                      network.text(), host + 1, used.size()));
    place.push_back(number * leaf_hosts + host);
  }
  return place;
}

std::vector<std::size_t> leaves_by_distance(const Network& network,
                                            const std::vector<double>& distances) {
  const auto nodes = static_cast<std::size_t>(std::sqrt(static_cast<double>(distances.size())));
  const auto hosts = static_cast<std::size_t>(network.extents()[0]);
  const double near = longest_within_leaves(distances, nodes);
  std::vector<std::size_t> in_order, leaf, count(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    in_order.push_back(node / hosts);
    std::size_t first = 0;
    while (first < node && distances[node * nodes + first] > near) ++first;
    leaf.push_back(first == node ? node : leaf[first]);
    ++count[leaf.back()];
  }
  for (std::size_t pair = 0; pair < distances.size(); ++pair) {
    const std::size_t one = pair / nodes, other = pair % nodes;
    if (one != other && (distances[pair] <= near) != (leaf[one] == leaf[other])) return in_order;
  }
  const auto used = std::ranges::count_if(count, [](std::size_t members) { return members > 0; });
  const bool fit = std::ranges::max(count) <= hosts && used <= network.extents()[1];
  return near > 0 && fit ? leaf : in_order;
}

std::string leaf_in_address(const std::string& address, const std::string& pattern) {
  const std::vector<std::string> names = split(address, '.'), types = split(pattern, '.');
  std::vector<std::string> switches;
  for (std::size_t at = 0; at < std::min(names.size(), types.size()); ++at)
    if (types[at] == "switch") switches.push_back(names[at]);
  return fmt::format("{}", fmt::join(switches, "."));
}

}  // namespace weft
