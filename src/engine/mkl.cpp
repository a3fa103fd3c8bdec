// Intel MKL through its DFTI interface: an alternative to FFTW, without DCT and DST. On some
// processors it is faster than FFTW.
//
// It is opened at run time: machines without MKL have one engine less.
#include <mkl_dfti.h>

#include "engine/engine.hpp"
#include "machine/opened_library.hpp"

namespace weft {
namespace {

struct Dfti {
  decltype(&DftiCreateDescriptor_d_1d) create_double = nullptr;
  decltype(&DftiCreateDescriptor_s_1d) create_single = nullptr;
  decltype(&DftiSetValue) set = nullptr;
  decltype(&DftiCommitDescriptor) commit = nullptr;
  decltype(&DftiComputeForward) forward = nullptr;
  decltype(&DftiComputeBackward) backward = nullptr;
  decltype(&DftiFreeDescriptor) free = nullptr;
  decltype(&DftiErrorMessage) message = nullptr;
  bool loaded = false;
};

Dfti load() {
  Dfti dfti;
  const OpenedLibrary library{WEFT_MKL_LIBRARY, "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
  if (!library.is_open()) return dfti;
  // Weft's threads share the tiles; MKL must not start threads of its own.
  using SetThreadingLayer = int (*)(int);
  SetThreadingLayer set_threading_layer = nullptr;
  constexpr int sequential = 1;  // MKL_THREADING_SEQUENTIAL
  if (library.find("MKL_Set_Threading_Layer", set_threading_layer)) set_threading_layer(sequential);
  dfti.loaded = library.find("DftiCreateDescriptor_d_1d", dfti.create_double) &&
                library.find("DftiCreateDescriptor_s_1d", dfti.create_single) &&
                library.find("DftiSetValue", dfti.set) &&
                library.find("DftiCommitDescriptor", dfti.commit) &&
                library.find("DftiComputeForward", dfti.forward) &&
                library.find("DftiComputeBackward", dfti.backward) &&
                library.find("DftiFreeDescriptor", dfti.free) &&
                library.find("DftiErrorMessage", dfti.message);
  return dfti;
}

const Dfti& dfti() {
  static const Dfti functions = load();
  return functions;
}

void check(MKL_LONG status, const char* call) {
  if (status != 0) throw Error(std::string("MKL: ") + call + " failed: " + dfti().message(status));
}

class MklLines : public LineTransform {
 public:
  explicit MklLines(const LineBatch& batch)
      : forward_(batch.kind == LineKind::c2c_forward || batch.kind == LineKind::r2c) {
    const bool real = batch.kind == LineKind::r2c || batch.kind == LineKind::c2r;
    const auto create =
        batch.precision == Precision::double_ ? dfti().create_double : dfti().create_single;
    check(
        create(&descriptor_, real ? DFTI_REAL : DFTI_COMPLEX, static_cast<MKL_LONG>(batch.length)),
        "DftiCreateDescriptor");
    set(DFTI_PLACEMENT, static_cast<MKL_LONG>(DFTI_NOT_INPLACE));
    set(DFTI_NUMBER_OF_TRANSFORMS, static_cast<MKL_LONG>(batch.lines));
    set(forward_ ? DFTI_FWD_DISTANCE : DFTI_BWD_DISTANCE,
        static_cast<MKL_LONG>(batch.input_distance));
    set(forward_ ? DFTI_BWD_DISTANCE : DFTI_FWD_DISTANCE,
        static_cast<MKL_LONG>(batch.output_distance));
    if (real) set(DFTI_CONJUGATE_EVEN_STORAGE, static_cast<MKL_LONG>(DFTI_COMPLEX_COMPLEX));
    check(dfti().commit(descriptor_), "DftiCommitDescriptor");
  }
  ~MklLines() override { dfti().free(&descriptor_); }
  MklLines(const MklLines&) = delete;
  MklLines& operator=(const MklLines&) = delete;

  void run(const void* input, void* output) const override {
    // MKL's signature is not const, but out of place it preserves its input.
    void* const in = const_cast<void*>(input);
    const auto compute = forward_ ? dfti().forward : dfti().backward;
    const MKL_LONG status = compute(descriptor_, in, output);
    if (status != 0) check(status, "DftiCompute");
  }

 private:
  void set(DFTI_CONFIG_PARAM parameter, MKL_LONG value) {
    check(dfti().set(descriptor_, parameter, value), "DftiSetValue");
  }

  DFTI_DESCRIPTOR_HANDLE descriptor_ = nullptr;
  bool forward_;
};

bool supports(LineKind kind, Precision) { return !is_trigonometric(kind); }

std::unique_ptr<LineTransform> plan(const LineBatch& batch) {
  return std::make_unique<MklLines>(batch);
}

}  // namespace

Engine mkl_engine() { return {"mkl", "Intel MKL, DFTI", supports, plan}; }

bool mkl_loads() { return dfti().loaded; }

}  // namespace weft
