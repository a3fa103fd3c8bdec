// Variables of the environment, for the length of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace weft::test {

/// Restores the variable when it is destroyed.
class EnvironmentVariable {
 public:
  explicit EnvironmentVariable(std::string name) : name_(std::move(name)) {
    if (const char* const before = std::getenv(name_.c_str())) before_ = before;
  }
  EnvironmentVariable(std::string name, const std::string& value)
      : EnvironmentVariable(std::move(name)) {
    set(value);
  }
  ~EnvironmentVariable() { before_ ? set(*before_) : unset(); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

  void set(const std::string& value) { setenv(name_.c_str(), value.c_str(), 1); }
  void unset() { unsetenv(name_.c_str()); }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace weft::test
