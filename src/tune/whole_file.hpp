// Small files that are only ever read and replaced whole, so that many jobs may do so at once
// without locks. The errors say what is wrong; callers add which file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// The bytes of a file, but no more than `most` of them; nothing where there is no such file.
/// Throws an Error for what cannot be read or is no regular file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t most);

/// The text takes the file's place at once, safe on the disk: written to a temporary file in the
/// same folder, which is made where it is missing, and renamed. What a killed writer left there
/// more than an hour ago is removed. Throws an Error where nothing could be written.
void replace_file(const std::filesystem::path& path, const std::string& text);

}  // namespace weft
