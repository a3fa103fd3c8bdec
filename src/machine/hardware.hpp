// Owns hwloc's view of the machine, or of the pretended one that WEFT_TOPOLOGY describes. Loading
// it takes time, so callers keep the results that they need.
#pragma once

struct hwloc_topology;

namespace weft {

/// hwloc's topology as an owned value. The environment variable WEFT_TOPOLOGY replaces it by
/// another machine, so that plans for that machine can be inspected and tested. Its text is either
/// a synthetic machine or the path of a file that `lstopo FILE.xml` has saved. A synthetic machine
/// is for example "l3:1(size=32MB) l2:8(size=1MB) l1d:1(size=32kB) core:1 pu:1"; see "Synthetic
/// topologies" in hwloc's manual. Throws an Error if the text is not a valid description.
class Hardware {
 public:
  enum class Cores { of_the_job, all };

  /// The parts of the machine that are loaded; devices take longer.
  enum class Parts { cores, cores_and_devices };

  explicit Hardware(Cores cores = Cores::of_the_job, Parts parts = Parts::cores);
  ~Hardware();
  Hardware(const Hardware&) = delete;
  Hardware& operator=(const Hardware&) = delete;

  /// Null if hwloc could not inspect the machine.
  hwloc_topology* topology() const { return loaded_ ? topology_ : nullptr; }

  /// Whether WEFT_TOPOLOGY describes another machine.
  static bool is_pretended();

 private:
  hwloc_topology* topology_ = nullptr;
  bool loaded_ = false;
};

}  // namespace weft
