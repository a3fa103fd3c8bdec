// Reads and replaces small files only as a whole, so that many jobs can share them without locks.
// Error texts say what is wrong; callers add the file's name.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// The first bytes of a file, at most `most`; nothing if the file does not exist. Throws an Error
/// if it cannot be read or is not a regular file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t most);

/// The same of a file that nobody else can have written, for what is believed without a test. An
/// Error where it belongs to another user, others may write it, or it is a link. The folder does
/// not matter: the file that is read is the one that was looked at.
std::optional<std::string> read_own_file(const std::filesystem::path& path, std::size_t most);

/// Replaces the file atomically: writes the text to a temporary file in the same folder, syncs it
/// to disk and renames it. Creates the folder if it is missing, and removes temporary files that
/// killed writers left there more than an hour ago. Throws an Error if writing fails. `mode`: as of
/// open(2), less what the umask takes.
void replace_file(const std::filesystem::path& path, const std::string& text, mode_t mode = 0666);

}  // namespace weft
