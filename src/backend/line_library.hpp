// A device's own FFT library, shared by the passes of one stream: buffers for lines, and transforms
// that were planned and checked before.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "backend/scratch.hpp"

namespace weft {

class LineLibrary {
 public:
  /// Two buffers of this size should together stay in the cache of large GPUs.
  static constexpr Index usual_bytes = Index{16} << 20;

  /// `batch_bytes`: the approximate size limit of a buffer; lines are transformed in batches.
  explicit LineLibrary(DeviceBackend& backend, Index batch_bytes = usual_bytes)
      : backend_(backend), batch_bytes_(batch_bytes), input_(backend), output_(backend) {}

  Index batch_bytes() const { return batch_bytes_; }
  /// Makes the buffers large enough; returns by how many bytes they have grown.
  std::size_t reserve(std::size_t input_bytes, std::size_t output_bytes) {
    return input_.reserve(input_bytes) + output_.reserve(output_bytes);
  }
  /// The buffers for lines before and after a transform, which passes share.
  std::byte* input() const { return input_.data(); }
  std::byte* output() const { return output_.data(); }

  /// The transform of a batch, which lives as long as this object. The buffers must have been made
  /// large enough. Throws an Error if there is no library, if it refuses, or if it computes wrong
  /// numbers.
  const LineTransform& transform(const LineBatch& batch);

 private:
  using Key = std::tuple<LineKind, Precision, Index, Index>;  // and length, and lines

  DeviceBackend& backend_;
  Index batch_bytes_;
  Scratch input_, output_;
  std::map<Key, std::unique_ptr<LineTransform>> transforms_;
};

}  // namespace weft
