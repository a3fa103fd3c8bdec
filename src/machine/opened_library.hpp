// Libraries that are opened at run time, so that Weft also works on machines without them.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// The first library of some names that the system finds; it stays open. Its functions are found
/// only here, because libraries export functions of equal names: MKL has FFTW's.
class OpenedLibrary {
 public:
  OpenedLibrary(std::initializer_list<std::string> names) {
    for (const std::string& name : names)
      if (handle_ == nullptr) handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }

  bool is_open() const { return handle_ != nullptr; }
  /// Looks up a function or variable of an open library; false if there is none of that name.
  template <class Symbol>
  bool find(const std::string& name, Symbol& symbol) const {
    symbol = reinterpret_cast<Symbol>(dlsym(handle_, name.c_str()));
    return symbol != nullptr;
  }

 private:
  void* handle_ = nullptr;
};

/// A library that a plan cannot do without.
class RequiredLibrary {
 public:
  /// `needed`: begins the message of the Error that is thrown if the library is not found.
  RequiredLibrary(const std::string& name, const std::string& needed)
      : name_(name), library_{name} {
    if (!library_.is_open()) throw Error(needed + ": " + dlerror(), Error::Cause::internal);
  }

  template <class Symbol>
  void look_up(const std::string& name, Symbol& symbol) const {
    if (!library_.find(name, symbol))
      throw Error(name_ + " has no " + name, Error::Cause::internal);
  }

 private:
  std::string name_;
  OpenedLibrary library_;
};

}  // namespace weft
