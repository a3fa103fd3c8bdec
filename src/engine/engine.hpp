// A small common interface to 1-D FFT libraries. It covers only features that all of them have; a
// new engine needs one file and one line in the table.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <weft/options.hpp>

#include "transform/kinds.hpp"
#include "view/view.hpp"

namespace weft {

/// A batch of equal 1-D transforms, out of place. Lines are contiguous; each side's distance counts
/// elements of its own type. For r2c and c2r, `length` is the length of the real side.
struct LineBatch {
  LineKind kind = LineKind::c2c_forward;
  Precision precision = Precision::double_;
  Index length = 1;
  Index lines = 1;
  Index input_distance = 1;
  Index output_distance = 1;
  /// 2 if a DCT or DST acts on the real and imaginary parts of complex lines.
  int components = 1;
  bool contiguous_lines = false;  ///< see Step
  EngineEffort effort = EngineEffort::measure;
};

/// Engines may assume buffers aligned to this many bytes.
inline constexpr std::size_t engine_alignment = 16;

/// A planned batch, which runs on any buffers of that shape. Running is const, so that threads may
/// share it. A c2r transform may destroy its input, which is faster; the others preserve it. On a
/// device, buffers lie in the device's memory, and `run` only appends to the device's stream.
class LineTransform {
 public:
  virtual ~LineTransform() = default;
  virtual void run(const void* input, void* output) const = 0;
};

struct Engine {
  std::string name;
  std::string description;
  bool (*supports)(LineKind, Precision);
  std::unique_ptr<LineTransform> (*plan)(const LineBatch&);
  /// The engine has the kernels of kernel/line_kernel.hpp, which read and write lines in place in
  /// memory.
  bool has_kernels = false;
  bool on_host = true;
  bool on_devices = false;
};

/// The engines in this build whose libraries load on this machine, the default first, and the
/// engines of devices.
const std::vector<Engine>& engines();

/// The engine of that name ("auto": the first); throws an Error that lists the valid names.
const Engine& find_engine(const std::string& name);

/// Throws an Error if `engine` lacks the kind; the message names the engines that have it.
void require_support(const Engine& engine, LineKind kind, Precision precision);

}  // namespace weft
