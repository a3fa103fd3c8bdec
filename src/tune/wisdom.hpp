// Wisdom: the results of tuning, kept for later plans in a folder with one small readable file per
// key. A damaged file loses its entry and prints a complaint, but planning never fails for it.
// Makes no MPI calls; one rank reads and writes for all.
#pragma once

#include <compare>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "file/kept_files.hpp"

namespace weft {

/// Where something was measured.
struct Site {
  std::string machine;  ///< see machine_name()
  std::string mpi;      ///< see mpi_name()
  int ranks = 1;
  int ranks_per_node = 1;
  friend auto operator<=>(const Site&, const Site&) = default;
};

/// The key of wisdom: site, transform and requested options.
struct WisdomKey {
  Site site;
  std::string transform;  ///< see wisdom_name()
  std::string options;    ///< the requested options, as to_string prints them
  /// Other conditions that decide which options are possible and fast: the thread level, and the
  /// ranks that share nodes.
  std::string conditions;
  friend auto operator<=>(const WisdomKey&, const WisdomKey&) = default;
};

/// The best options that were found, and how they were found.
struct Wisdom {
  std::string options;  ///< for Options::parse
  double measured_seconds = 0;
  double predicted_seconds = 0;
  double budget_seconds = 0;  ///< how long the search was allowed to take
  int candidates = 0;         ///< how many it tried
  std::string date;           ///< if empty, store() fills in today's
  std::string version;        ///< of weft
  friend bool operator==(const Wisdom&, const Wisdom&) = default;
};

/// Measured numbers of a site by name, for the cost model.
using Figures = std::map<std::string, double>;

struct WisdomContents {
  std::map<WisdomKey, Wisdom> wisdom;
  std::map<Site, Figures> figures;
};

/// Everything in a transform that affects its time: shape, kinds, precision and kept modes, for
/// example "256x256x256 r2c double".
std::string wisdom_name(const Transform& transform);

/// The name of an entry's file: "wisdom-" or "figures-", a hash of the key, and ".json". The hash
/// is the same on every machine and in every version.
std::string entry_name(const WisdomKey& key);
std::string entry_name(const Site& site);

/// The wisdom in a folder, which any number of jobs may use at once. It never makes a plan fail:
/// entries that cannot be read are ignored, entries that cannot be stored are lost, and a
/// complaint says so.
class WisdomFolder {
 public:
  using Complain = std::function<void(const std::string& line)>;
  /// Nothing is opened yet; the folder need not exist.
  explicit WisdomFolder(std::filesystem::path path, Complain complain = complain_once)
      : path_(std::move(path)), complain_(std::move(complain)) {}

  WisdomContents read() const;
  /// Ignores an entry whose options this build cannot parse.
  std::optional<Wisdom> find(const WisdomKey& key) const;
  std::optional<Figures> find_figures(const Site& site) const;

  // These replace the file of one entry: if several jobs store the same key, the last one wins.
  // An entry that could not be found again is not stored.
  void store(const WisdomKey& key, const Wisdom& wisdom) const;
  void store_figures(const Site& site, const Figures& figures) const;

  /// False if there is no such entry. Throws if it cannot be removed.
  bool remove(const WisdomKey& key) const;
  /// Removes all wisdom, figures and marks of device paths, including damaged files. Throws if one
  /// cannot be removed.
  void clear() const;

  const std::filesystem::path& path() const { return path_; }

 private:
  /// Returns work(); if it throws, complains and returns an empty result.
  template <class Work>
  auto attempt(const Work& work) const;

  std::filesystem::path path_;
  Complain complain_;
};

}  // namespace weft
