// Functions of C that change spectra, as Plan::apply takes them: for bindings to other languages.
#pragma once

#include <weft/weft.h>

#include <weft/spectrum.hpp>

namespace weft {

/// The same function for Plan::apply; it gets `user` besides the line. Null stays null.
inline RawLineFunction raw_function(weft_line_function function, void* user) {
  if (function == nullptr) return nullptr;
  return [=](const RawSpectrumLine& raw) {
    const weft_line line{raw.values, raw.count, raw.axis, raw.wavenumbers, raw.at->begin()};
    function(&line, user);
  };
}

/// The same for a function of several fields.
inline RawFieldsFunction raw_function(weft_lines_function function, void* user) {
  if (function == nullptr) return nullptr;
  return [=](const RawSpectrumLines& raw) {
    const weft_lines lines{raw.values.data(), static_cast<int>(raw.values.size()),
                           raw.count,         raw.axis,
                           raw.wavenumbers,   raw.at->begin()};
    function(&lines, user);
  };
}

}  // namespace weft
