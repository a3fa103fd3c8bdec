// NVRTC is opened at run time: machines do not need it if all lengths are common.
#include "cuda/runtime_compiler.hpp"

#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include <memory>
#include <stdexcept>
#include <vector>
#include <weft/error.hpp>

#include "cuda/kernel_sources.hpp"
#include "machine/opened_library.hpp"

namespace weft {
namespace {

struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcGetErrorString) text = nullptr;
};

Nvrtc load() {
  const std::string name = "libnvrtc.so." + std::to_string(CUDART_VERSION / 1000);
  const RequiredLibrary library(
      name, "lines of this length need a kernel that is compiled now, by NVRTC");
  Nvrtc nvrtc;
  library.look_up("nvrtcVersion", nvrtc.version);
  library.look_up("nvrtcCreateProgram", nvrtc.create);
  library.look_up("nvrtcCompileProgram", nvrtc.compile);
  library.look_up("nvrtcDestroyProgram", nvrtc.destroy);
  library.look_up("nvrtcGetProgramLogSize", nvrtc.log_size);
  library.look_up("nvrtcGetProgramLog", nvrtc.log);
  library.look_up("nvrtcGetCUBINSize", nvrtc.cubin_size);
  library.look_up("nvrtcGetCUBIN", nvrtc.cubin);
  library.look_up("nvrtcGetErrorString", nvrtc.text);
  return nvrtc;
}

const Nvrtc& nvrtc() {
  static const Nvrtc functions = load();
  return functions;
}

void check(nvrtcResult status, const char* call) {
  if (status != NVRTC_SUCCESS)
    throw Error(std::string(call) + ": " + nvrtc().text(status), Error::Cause::internal);
}

std::string text_of(const TilePlan& plan) {
  std::string radices;
  for (const int radix : plan.radices) radices += std::to_string(radix) + ", ";
  const auto number = [](int value) { return ", " + std::to_string(value); };
  return "weft::TilePlan{weft::TileKind(" + std::to_string(static_cast<int>(plan.kind)) + ")" +
         number(plan.length) + number(plan.numbers) + number(plan.transformed) +
         number(plan.stages) + ", {" + radices + "}" + number(plan.lines) +
         number(plan.line_threads) + number(plan.held) + "}";
}

std::string text_of(const TileVariant& variant) {
  const auto access = [](TileAccess value) {
    return "weft::TileAccess(" + std::to_string(static_cast<int>(value)) + ")";
  };
  return "weft::TileVariant{" + access(variant.from) + ", " + access(variant.to) + "}";
}

std::string program_text(const TileWork& work) {
  const std::string real = work.precision == Precision::double_ ? "double" : "float";
  return "#include \"cuda_kernel/tile_entry.hpp\"\n"
         "constexpr weft::TilePlan plan = " +
         text_of(work.plan) +
         ";\n"
         "extern \"C\" __global__ void __launch_bounds__(plan.threads(),\n"
         "    weft::resident_blocks(plan, sizeof(weft::Number<" +
         real + ">)))\n" + kernel_name +
         "(const __grid_constant__ weft::TileJob job) {\n"
         "  weft::run_tile<" +
         real + ", plan, " + text_of(work.variant) + ">(job);\n}\n";
}

std::vector<std::string> options_for(int architecture) {
  return {"--std=c++20", "--device-as-default-execution-space",
          "--gpu-architecture=sm_" + std::to_string(architecture)};
}

/// Everything that the kernel is made from.
std::string key_of(const std::string& program, int architecture) {
  int major = 0, minor = 0;
  check(nvrtc().version(&major, &minor), "nvrtcVersion");
  std::string key = "NVRTC " + std::to_string(major) + "." + std::to_string(minor) + "\n";
  for (const std::string& option : options_for(architecture)) key += option + "\n";
  for (const KernelSource& source : kernel_sources()) key += source.text;
  return key + program;
}

class Program {
 public:
  explicit Program(const std::string& text) {
    std::vector<const char*> names, texts;
    for (const KernelSource& source : kernel_sources()) {
      names.push_back(source.name);
      texts.push_back(source.text);
    }
    check(nvrtc().create(&program_, text.c_str(), "weft_tiles.cu", static_cast<int>(names.size()),
                         texts.data(), names.data()),
          "nvrtcCreateProgram");
  }
  ~Program() { nvrtc().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string compiled(int architecture) const {
    const std::vector<std::string> options = options_for(architecture);
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    const nvrtcResult status =
        nvrtc().compile(program_, static_cast<int>(arguments.size()), arguments.data());
    if (status == NVRTC_ERROR_COMPILATION) throw Error("NVRTC: " + log(), Error::Cause::internal);
    check(status, "nvrtcCompileProgram");
    std::size_t size = 0;
    check(nvrtc().cubin_size(program_, &size), "nvrtcGetCUBINSize");
    std::string cubin(size, '\0');
    check(nvrtc().cubin(program_, cubin.data()), "nvrtcGetCUBIN");
    return cubin;
  }

 private:
  std::string log() const {
    std::size_t size = 0;
    check(nvrtc().log_size(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    check(nvrtc().log(program_, text.data()), "nvrtcGetProgramLog");
    return text;
  }

  nvrtcProgram program_ = nullptr;
};

}  // namespace

std::string kernel_for(const TileWork& work, int architecture, KernelStore& store) {
  const std::string text = program_text(work), key = key_of(text, architecture);
  if (const auto kept = store.find(key)) return *kept;
  std::string cubin = Program(text).compiled(architecture);
  store.keep(key, cubin);
  return cubin;
}

}  // namespace weft
