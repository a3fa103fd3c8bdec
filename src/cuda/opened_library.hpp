// Libraries of NVIDIA that are opened at run time. What is used of cuFFT and NCCL is declared where
// it is used, so that nothing of them is needed to build the plugin.
#pragma once

#include <dlfcn.h>

#include <string>
#include <weft/error.hpp>

namespace weft {

class OpenedLibrary {
 public:
  /// `needed`: begins the message of the Error that is thrown if the library is not found.
  OpenedLibrary(const char* name, const char* needed)
      : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr)
      throw Error(std::string(needed) + ": " + dlerror(), Error::Cause::internal);
  }

  template <class Function>
  void look_up(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr)
      throw Error(std::string(name_) + " has no " + name, Error::Cause::internal);
  }

 private:
  const char* name_;
  void* handle_;  // it stays open
};

}  // namespace weft
