// Wisdom: what tuning found, kept for later plans in a folder with one small readable file for each
// key. A file that is damaged costs the entry in it and a line of complaint, never a plan: reading
// does not throw. No MPI calls; one rank reads and writes for all.
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
  /// What else decides which options are possible and fast: the thread level, and which ranks share
  /// nodes.
  std::string conditions;
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

/// All that a folder holds.
struct WisdomContents {
  std::map<WisdomKey, Wisdom> wisdom;
  std::map<Site, Figures> figures;
};

/// Shape, kinds, precision and kept modes, all that decides how long a transform takes:
/// "256x256x256 r2c double".
std::string wisdom_name(const Transform& transform);

/// The folder to use: $WEFT_WISDOM, else weft in $XDG_CACHE_HOME or ~/.cache; none where
/// WEFT_WISDOM is empty or "none", or there is no home.
std::optional<std::filesystem::path> wisdom_path();

/// 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), since no hash of the standard library is the
/// same everywhere.
std::string hash_of(const std::string& text);

/// The names of entries' files: "wisdom-" or "figures-", a hash of the key that is the same on
/// every machine and in every version, and ".json".
std::string entry_name(const WisdomKey& key);
std::string entry_name(const Site& site);

/// A line on stderr, if this process has not printed the same one before.
void complain_once(const std::string& line);

/// The wisdom of a folder, which any number of jobs may use at once. Plans must not fail for it:
/// what cannot be read is ignored, what cannot be stored is lost, and a line of complaint says so.
class WisdomFolder {
 public:
  using Complain = std::function<void(const std::string& line)>;
  /// Nothing is opened yet; the folder need not exist.
  explicit WisdomFolder(std::filesystem::path path, Complain complain = complain_once)
      : path_(std::move(path)), complain_(std::move(complain)) {}

  WisdomContents read() const;
  /// Never options that this build cannot parse.
  std::optional<Wisdom> find(const WisdomKey& key) const;
  std::optional<Figures> find_figures(const Site& site) const;

  // These replace the file of one entry: of jobs that store the same key, the last one wins.
  // Nothing is stored that could not be found again.
  void store(const WisdomKey& key, const Wisdom& wisdom) const;
  void store_figures(const Site& site, const Figures& figures) const;

  /// False where there is no such wisdom. Throws where it cannot be removed.
  bool remove(const WisdomKey& key) const;
  /// All wisdom and all figures, damaged ones as well. Throws where it cannot.
  void clear() const;

  const std::filesystem::path& path() const { return path_; }

 private:
  /// Complains where it throws, and returns nothing then.
  template <class Work>
  auto attempt(const Work& work) const;

  std::filesystem::path path_;
  Complain complain_;
};

}  // namespace weft
