// What hwloc knows of the machine, or of the one that WEFT_TOPOLOGY describes in its place.
#pragma once

struct hwloc_topology;

namespace weft {

/// hwloc's topology as an owned value. With the environment variable WEFT_TOPOLOGY it is the
/// machine of that synthetic description ("l3:1(size=32MB) l2:8(size=1MB) l1d:1(size=32kB) core:1
/// pu:1"; see "Synthetic topologies" in hwloc's manual), so that plans for another machine can be
/// looked at and tested. Throws an Error where that text is not such a description.
class Hardware {
 public:
  /// `all_cores`: also those that this job may not use.
  explicit Hardware(bool all_cores = false);
  ~Hardware();
  Hardware(const Hardware&) = delete;
  Hardware& operator=(const Hardware&) = delete;

  /// Null where hwloc could not look at the machine.
  hwloc_topology* topology() const { return loaded_ ? topology_ : nullptr; }

  /// Whether WEFT_TOPOLOGY describes another machine.
  static bool is_pretended();

 private:
  hwloc_topology* topology_ = nullptr;
  bool loaded_ = false;
};

}  // namespace weft
