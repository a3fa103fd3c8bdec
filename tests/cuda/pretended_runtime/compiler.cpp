// Stands in for NVRTC: the compiled kernel is the program itself, which the pretended runtime
// reads.
#include <nvrtc.h>

#include <cstring>
#include <string>

struct _nvrtcProgram {
  std::string text;
};

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 0;  // the version is part of a kept kernel's key, and no real one begins with 0
  *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* text, const char*, int,
                               const char* const*, const char* const*) {
  *program = new _nvrtcProgram{text};
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  delete *program;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t* bytes) {
  *bytes = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char*) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  *bytes = program->text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* bytes) {
  std::memcpy(bytes, program->text.c_str(), program->text.size() + 1);
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult) { return "an error of the pretended compiler"; }

}  // extern "C"
