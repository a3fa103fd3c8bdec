// The vendor's FFT library, for lines that are too long for Weft's kernels. cuFFT and hipFFT have
// the same functions, but for their prefixes and the type of plans, which a vendor's source names.
// They are declared as the manuals of cuFFT 12 and hipFFT 1 do: https://docs.nvidia.com/cuda/cufft/
// and https://rocm.docs.amd.com/projects/hipFFT/.
#pragma once

#include <new>
#include <string>

#include "gpu/gpu_stream.hpp"
#include "machine/opened_library.hpp"

namespace weft {

/// Results and types of transforms, which have the same numbers in both libraries.
namespace fft_numbers {
inline constexpr int succeeded = 0;
inline constexpr int no_memory = 2;
enum Type : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };
}  // namespace fft_numbers

template <class Handle>
struct FftFunctions {
  using Status = int;
  Status (*create)(Handle*);
  Status (*plan_many)(Handle, int, long long*, long long*, long long, long long, long long*,
                      long long, long long, int, long long, std::size_t*);
  Status (*set_stream)(Handle, runtime::StreamHandle);
  Status (*destroy)(Handle);
  Status (*run_c2c)(Handle, void*, void*, int);
  Status (*run_r2c)(Handle, void*, void*);
  Status (*run_c2r)(Handle, void*, void*);
  Status (*run_z2z)(Handle, void*, void*, int);
  Status (*run_d2z)(Handle, void*, void*);
  Status (*run_z2d)(Handle, void*, void*);
};

template <class Handle>
FftFunctions<Handle> load_functions(const VendorLibrary& fft) {
  const RequiredLibrary library(
      fft.file, std::string(fft.name) +
                    " is needed for engine=library and for lines that are too long for a kernel "
                    "(device=cpu can transform them)");
  const std::string prefix = fft.prefix;
  FftFunctions<Handle> functions{};
  library.look_up(prefix + "Create", functions.create);
  library.look_up(prefix + "MakePlanMany64", functions.plan_many);
  library.look_up(prefix + "SetStream", functions.set_stream);
  library.look_up(prefix + "Destroy", functions.destroy);
  library.look_up(prefix + "ExecC2C", functions.run_c2c);
  library.look_up(prefix + "ExecR2C", functions.run_r2c);
  library.look_up(prefix + "ExecC2R", functions.run_c2r);
  library.look_up(prefix + "ExecZ2Z", functions.run_z2z);
  library.look_up(prefix + "ExecD2Z", functions.run_d2z);
  library.look_up(prefix + "ExecZ2D", functions.run_z2d);
  return functions;
}

/// A batch of lines, planned for the thread's current device. `Handle`: the library's type of
/// plans.
template <class Handle>
class FftLibraryPlan {
 public:
  /// Throws an Error if there is no library, or if it refuses.
  explicit FftLibraryPlan(const LineBatch& batch)
      : kind_(batch.kind), is_double_(batch.precision == Precision::double_) {
    require(library().create(&handle_), "Create");
    long long length = batch.length;
    // The library ignores distances unless the storage of a line is given as well.
    long long input = batch.input_distance, output = batch.output_distance;
    std::size_t work = 0;
    const int status = library().plan_many(handle_, 1, &length, &input, 1, input, &output, 1,
                                           output, type(), batch.lines, &work);
    if (status != fft_numbers::succeeded) library().destroy(handle_);
    require(status, "MakePlanMany64");
  }
  ~FftLibraryPlan() { library().destroy(handle_); }
  FftLibraryPlan(const FftLibraryPlan&) = delete;
  FftLibraryPlan& operator=(const FftLibraryPlan&) = delete;

  /// Puts the transform on the stream. c2r destroys its input.
  void run(const void* input, void* output, runtime::StreamHandle stream) const {
    void* const in = const_cast<void*>(input);
    require(library().set_stream(handle_, stream), "SetStream");
    if (kind_ == LineKind::r2c) {
      require((is_double_ ? library().run_d2z : library().run_r2c)(handle_, in, output), "ExecR2C");
    } else if (kind_ == LineKind::c2r) {
      require((is_double_ ? library().run_z2d : library().run_c2r)(handle_, in, output), "ExecC2R");
    } else {
      const int sign = kind_ == LineKind::c2c_forward ? -1 : 1;
      require((is_double_ ? library().run_z2z : library().run_c2c)(handle_, in, output, sign),
              "ExecC2C");
    }
  }

 private:
  static const FftFunctions<Handle>& library() {
    static const FftFunctions<Handle> functions = load_functions<Handle>(runtime::fft_library);
    return functions;
  }

  static void require(int status, const char* call) {
    if (status == fft_numbers::succeeded) return;
    if (status == fft_numbers::no_memory) throw std::bad_alloc();
    throw Error(std::string(runtime::fft_library.prefix) + call + " failed with result " +
                std::to_string(status));
  }

  int type() const {
    if (kind_ == LineKind::r2c) return is_double_ ? fft_numbers::d2z : fft_numbers::r2c;
    if (kind_ == LineKind::c2r) return is_double_ ? fft_numbers::z2d : fft_numbers::c2r;
    return is_double_ ? fft_numbers::z2z : fft_numbers::c2c;
  }

  LineKind kind_;
  bool is_double_;
  Handle handle_ = {};
};

/// The same on a stream of the plan.
template <class Handle>
class LibraryLines : public LineTransform {
 public:
  LibraryLines(std::shared_ptr<const GpuContext> context, const GpuStream& stream,
               const LineBatch& batch)
      : context_(std::move(context)), stream_(stream) {
    const GpuContext::Current current(*context_);
    plan_ = std::make_unique<FftLibraryPlan<Handle>>(batch);
  }
  ~LibraryLines() override {
    free_on(*context_, [&] { plan_.reset(); });
  }
  LibraryLines(const LibraryLines&) = delete;
  LibraryLines& operator=(const LibraryLines&) = delete;

  void run(const void* input, void* output) const override {
    const GpuContext::Current current(*context_);
    plan_->run(input, output, stream_.get());
  }

 private:
  std::shared_ptr<const GpuContext> context_;
  const GpuStream& stream_;
  std::unique_ptr<FftLibraryPlan<Handle>> plan_;
};

}  // namespace weft
