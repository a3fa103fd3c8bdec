// Wisdom: what tuning found, kept in a readable file for later plans. A file that is damaged costs
// the wisdom in it and a line of complaint, never a plan: reading does not throw. No MPI calls; one
// rank reads and writes for all.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "tune/shared_file.hpp"

namespace weft {

/// Where something was measured.
struct Site {
  std::string machine;  ///< see machine_name()
  std::string mpi;      ///< see mpi_name()
  int ranks = 1;
  int ranks_per_node = 1;
  friend auto operator<=>(const Site&, const Site&) = default;
};

/// What wisdom is about: who asks on the same site for the same transform with the same options.
struct WisdomKey {
  Site site;
  std::string transform;  ///< see wisdom_name()
  std::string options;    ///< those asked for, as to_string prints them
  friend auto operator<=>(const WisdomKey&, const WisdomKey&) = default;
};

/// What was found to be best, and how.
struct Wisdom {
  std::string options;  ///< for Options::parse
  double measured_seconds = 0;
  double predicted_seconds = 0;
  double budget_seconds = 0;  ///< what the search was allowed to take
  int candidates = 0;         ///< how many it tried
  std::string date;           ///< store() puts today's where it is empty
  std::string version;        ///< of weft
  friend bool operator==(const Wisdom&, const Wisdom&) = default;
};

/// Measured numbers of a site by name, for the cost model.
using Figures = std::map<std::string, double>;

/// All that a file holds.
struct WisdomContents {
  std::map<WisdomKey, Wisdom> wisdom;
  std::map<Site, Figures> figures;
  /// What could not be read, one line each.
  std::vector<std::string> complaints;
};

/// Shape, kinds, precision and kept modes, all that decides how long a transform takes:
/// "256x256x256 r2c double".
std::string wisdom_name(const Transform& transform);

/// The file to use: $WEFT_WISDOM, else below $XDG_CACHE_HOME or ~/.cache; none where WEFT_WISDOM is
/// empty or "none", or there is no home.
std::optional<std::filesystem::path> wisdom_path();

class WisdomFile {
 public:
  /// Nothing is opened yet; the file and its folder need not exist.
  explicit WisdomFile(const std::filesystem::path& path, const Turns& turns = {});

  // Reading never throws: what cannot be read is ignored, and complaints() tells.
  WisdomContents read();
  /// Never options that this build cannot parse.
  std::optional<Wisdom> find(const WisdomKey& key);
  std::optional<Figures> find_figures(const Site& site);

  // Writing rereads the file, so that what other jobs stored meanwhile stays. These throw an Error
  // where nothing could be written, and for what could not be read again.
  void store(const WisdomKey& key, const Wisdom& wisdom);
  /// Adds to the site's figures; those of the same name are replaced.
  void store_figures(const Site& site, const Figures& figures);
  /// False where there is no such wisdom.
  bool remove(const WisdomKey& key);
  /// All wisdom and all figures.
  void clear();

  const std::filesystem::path& path() const { return path_; }
  /// Of the last call, one line each: the file, what is wrong, and that it is ignored.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  template <class Change>
  void rewrite(const Change& change);

  std::filesystem::path path_;
  Turns turns_;
  std::vector<std::string> complaints_;
};

}  // namespace weft
