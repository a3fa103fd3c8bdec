// The compiler is opened at run time: machines do not need it if the plugin has all kernels.
#include "gpu/runtime_compiler.hpp"

#include <vector>

#include "gpu/kernel_sources.hpp"
#include "gpu/runtime.hpp"
#include "machine/opened_library.hpp"

namespace weft {
namespace {

using Handle = void*;  // nvrtcProgram, hiprtcProgram
using Status = int;
constexpr Status succeeded = 0, does_not_compile = 6;

struct Compiler {
  Status (*version)(int*, int*);
  Status (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
  Status (*compile)(Handle, int, const char* const*);
  Status (*destroy)(Handle*);
  Status (*log_size)(Handle, std::size_t*);
  Status (*log)(Handle, char*);
  Status (*code_size)(Handle, std::size_t*);
  Status (*code)(Handle, char*);
  const char* (*text)(Status);
};

Compiler load() {
  const VendorLibrary& vendor = runtime::compiler_library;
  const RequiredLibrary library(
      vendor.file,
      std::string("lines of this length need a kernel that is compiled now, by ") + vendor.name);
  const std::string prefix = vendor.prefix, form = prefix + "Get" + runtime::compiled_form;
  Compiler compiler{};
  library.look_up(prefix + "Version", compiler.version);
  library.look_up(prefix + "CreateProgram", compiler.create);
  library.look_up(prefix + "CompileProgram", compiler.compile);
  library.look_up(prefix + "DestroyProgram", compiler.destroy);
  library.look_up(prefix + "GetProgramLogSize", compiler.log_size);
  library.look_up(prefix + "GetProgramLog", compiler.log);
  library.look_up(form + "Size", compiler.code_size);
  library.look_up(form, compiler.code);
  library.look_up(prefix + "GetErrorString", compiler.text);
  return compiler;
}

const Compiler& compiler() {
  static const Compiler functions = load();
  return functions;
}

void check(Status status, const char* call) {
  if (status != succeeded)
    throw Error(
        std::string(runtime::compiler_library.prefix) + call + ": " + compiler().text(status),
        Error::Cause::internal);
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

const char* name_of(Precision precision) {
  return precision == Precision::double_ ? "double" : "float";
}

/// A program of one kernel. Its launch bounds are an expression of the program.
std::string program_text(const std::string& entry, const std::string& definitions,
                         const std::string& bounds, const std::string& job,
                         const std::string& body) {
  return "#include \"device_kernel/" + entry + "\"\n" + definitions +
         "extern \"C\" __global__ void __launch_bounds__(" + bounds + ")\n" + kernel_name +
         "(WEFT_ARGUMENT weft::" + job + " job) {\n  " + body + "(job);\n}\n";
}

std::string program_text(const TileWork& work) {
  const std::string real = name_of(work.precision);
  return program_text(
      "tile_entry.hpp", "constexpr weft::TilePlan plan = " + text_of(work.plan) + ";\n",
      "plan.threads(), weft::residency(plan, sizeof(weft::Number<" + real + ">))", "TileJob",
      "weft::run_tile<" + real + ", plan, " + text_of(work.variant) + ">");
}

std::string mode_program_text(Precision precision) {
  return program_text("mode_entry.hpp", "", "weft::mode_threads", "ModeJob",
                      std::string("weft::run_modes_in_turn<") + name_of(precision) + ">");
}

/// Everything that the kernel is made from.
std::string key_of(const std::string& program, const std::vector<std::string>& options) {
  int major = 0, minor = 0;
  check(compiler().version(&major, &minor), "Version");
  std::string key = std::string(runtime::compiler_library.name) + " " + std::to_string(major) +
                    "." + std::to_string(minor) + "\n";
  for (const std::string& option : options) key += option + "\n";
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
    check(compiler().create(&program_, text.c_str(), "weft_kernel.cu",
                            static_cast<int>(names.size()), texts.data(), names.data()),
          "CreateProgram");
  }
  ~Program() { compiler().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string compiled(const std::vector<std::string>& options) const {
    std::vector<const char*> arguments;
    for (const std::string& option : options) arguments.push_back(option.c_str());
    const Status status =
        compiler().compile(program_, static_cast<int>(arguments.size()), arguments.data());
    if (status == does_not_compile)
      throw Error(std::string(runtime::compiler_library.name) + ": " + log(),
                  Error::Cause::internal);
    check(status, "CompileProgram");
    std::size_t size = 0;
    check(compiler().code_size(program_, &size), "GetCodeSize");
    std::string code(size, '\0');
    check(compiler().code(program_, code.data()), "GetCode");
    return code;
  }

 private:
  std::string log() const {
    std::size_t size = 0;
    check(compiler().log_size(program_, &size), "GetProgramLogSize");
    std::string text(size, '\0');
    check(compiler().log(program_, text.data()), "GetProgramLog");
    return text;
  }

  Handle program_ = nullptr;
};

std::string compiled(const std::string& text, const std::string& architecture, KernelStore& store) {
  const std::vector<std::string> options = runtime::compiler_options(architecture);
  const std::string key = key_of(text, options);
  if (const auto kept = store.find(key)) return *kept;
  std::string code = Program(text).compiled(options);
  store.keep(key, code);
  return code;
}

}  // namespace

std::string compiled_kernel(const TileWork& work, const std::string& architecture,
                            KernelStore& store) {
  return compiled(program_text(work), architecture, store);
}

std::string compiled_mode_kernel(Precision precision, const std::string& architecture,
                                 KernelStore& store) {
  return compiled(mode_program_text(precision), architecture, store);
}

}  // namespace weft
