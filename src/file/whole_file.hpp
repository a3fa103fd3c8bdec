// Reads and replaces small files only as a whole, so that many jobs can share them without locks.
// Error texts describe the problem; callers add the file's name.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// The first bytes of a file, at most `most`; nothing if the file does not exist. Throws an Error
/// if the file cannot be read or is not a regular file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t most);

/// Like read_file, for content that is used without a check, so other users must not have written
/// it. Throws an Error if the file belongs to another user, others may write it, or it is a link.
/// The folder does not matter, because the opened file itself is checked.
std::optional<std::string> read_own_file(const std::filesystem::path& path, std::size_t most);

/// Replaces the file atomically: writes the text to a temporary file in the same folder, syncs it
/// to disk and renames it. Creates the folder if it is missing. Removes temporary files that killed
/// writers left there more than an hour ago. Throws an Error if writing fails. `mode`: as for
/// open(2); the umask applies.
void replace_file(const std::filesystem::path& path, const std::string& text, mode_t mode = 0666);

}  // namespace weft
