// A file view per piece rather than one per box: it costs a collective call each 64 MiB, and in
// return every count fits an int however large the array, and every offset is 64 bits wide. The
// transfers themselves are independent calls: layouts that follow the file have long runs and gain
// nothing from collective ones, and Open MPI 4.1 leaves ranks waiting for ever in one where a disk
// is full.
#include "parallel_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>
#include <weft/error.hpp>

#include "ranks.hpp"

namespace weft::command {
namespace {

/// Sets the view to a box of the array: as many bytes as it has, in order, and no others. A view of
/// plain bytes serves where the box is one run, which MPI-IO handles fastest.
int set_view(MPI_File file, const FileArray& array, const Box& box) {
  char native[] = "native";
  if (box.empty()) return MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, native, MPI_INFO_NULL);
  int axis = box.axes() - 1;
  Index run = array.element_bytes;
  Index stride = array.element_bytes;
  // The fastest axes that the box spans whole, and the next one, make one contiguous run.
  for (bool whole = true; axis >= 0 && whole; --axis) {
    whole = box.extent(axis) == array.shape[axis];
    run *= box.extent(axis);
    stride *= array.shape[axis];
  }
  Index offset = array.offset;
  Index distance = array.element_bytes;
  for (int a = box.axes() - 1; a >= 0; distance *= array.shape[a--])
    offset += box.lower[a] * distance;
  MPI_Datatype type;
  MPI_Type_contiguous(static_cast<int>(run), MPI_BYTE, &type);
  bool one_run = true;
  for (; axis >= 0; stride *= array.shape[axis--]) {
    if (box.extent(axis) == 1) continue;
    MPI_Datatype repeated;
    MPI_Type_create_hvector(static_cast<int>(box.extent(axis)), 1, static_cast<MPI_Aint>(stride),
                            type, &repeated);
    MPI_Type_free(&type);
    type = repeated;
    one_run = false;
  }
  MPI_Type_commit(&type);
  const int code =
      MPI_File_set_view(file, offset, MPI_BYTE, one_run ? MPI_BYTE : type, native, MPI_INFO_NULL);
  MPI_Type_free(&type);
  return code;
}

void append_pieces(const Box& box, Index most, std::vector<Box>& pieces) {
  if (box.volume() <= most) {
    pieces.push_back(box);
    return;
  }
  int axis = 0;
  while (box.extent(axis) == 1) ++axis;
  const Index thickness = std::max<Index>(1, most / (box.volume() / box.extent(axis)));
  for (Index lower = box.lower[axis]; lower < box.upper[axis]; lower += thickness) {
    Box piece = box;
    piece.lower[axis] = lower;
    piece.upper[axis] = std::min(lower + thickness, box.upper[axis]);
    append_pieces(piece, most, pieces);
  }
}

/// The names to try for a path. ROMIO (MPICH) takes what stands before a colon for the name of a
/// file system ("ufs:") whatever it is, so that a path with a colon of its own needs such a name in
/// front; Open MPI's own MPI-IO knows no such names, and is tried second because ROMIO would then
/// open what stands behind the colon.
std::vector<std::string> mpi_paths(const std::string& path) {
  if (path.find(':') == std::string::npos) return {path};
  return {"ufs:" + path, path};
}

/// The files to remove on a signal; plain arrays, because a signal handler may touch nothing
/// better.
char doomed_paths[4][4096] = {};

extern "C" void remove_doomed(int signal) {
  for (const char* const path : doomed_paths)
    if (path[0] != '\0') unlink(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Signals that are ignored stay ignored.
void handle_signals(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = std::signal(signal, handler);
    if (before != SIG_DFL && before != remove_doomed) std::signal(signal, before);
  }
}

/// Remembers a file to remove on a signal.
void doom(const std::string& path) {
  for (auto& doomed : doomed_paths) {
    if (doomed[0] != '\0') continue;
    path.copy(doomed, sizeof(doomed) - 1);  // the array is zeros: no end is missing
    break;
  }
  handle_signals(remove_doomed);
}

/// Forgets it again.
void spare(const std::string& path) {
  bool any_left = false;
  for (auto& doomed : doomed_paths) {
    if (path == doomed) std::ranges::fill(doomed, '\0');
    any_left = any_left || doomed[0] != '\0';
  }
  if (!any_left) handle_signals(SIG_DFL);
}

int bytes_of(const MPI_Status& status) {
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

std::string reason() { return std::strerror(errno); }

/// What would make the rename or the writing fail for sure is better said before the work than
/// after.
void check_target(const std::filesystem::path& target, Index bytes) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(fmt::format("cannot write {}: it is not a regular file", target.string()));
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  const auto space = std::filesystem::space(folder, ignored);
  if (!ignored && space.available < static_cast<std::uintmax_t>(bytes))
    throw Error(fmt::format("cannot write {}: it needs {} bytes and {} are free there",
                            target.string(), bytes, space.available));
}

/// The path behind symbolic links: renaming must replace the file, not the link.
std::string resolved(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

/// Creates an empty file of a new name beside `target`, and returns its path.
std::string create_beside(const std::string& target) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string path = fmt::format("{}.weft-{}-{}", target, getpid(), attempt);
    const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) throw Error(fmt::format("cannot write {}: {}", target, reason()));
    close(file);
    return path;
  }
  throw Error(fmt::format("cannot write {}: its temporary names are all taken", target));
}

/// A rename is on the disk only when its folder is.
void sync_folder(const std::string& target) {
  const auto folder = std::filesystem::path(target).parent_path();
  const int handle = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

}  // namespace

std::vector<Box> pieces_of(const Box& box, Index most) {
  std::vector<Box> pieces;
  if (!box.empty()) append_pieces(box, std::max<Index>(1, most), pieces);
  return pieces;
}

ParallelFile::ParallelFile(MPI_Comm communicator, std::string path, Mode mode)
    : communicator_(communicator), path_(std::move(path)) {
  const int access = mode == Mode::read ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
  // ROMIO would write scattered runs by reading, patching and writing back what lies between them,
  // which needs locks that many file systems lack.
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "romio_ds_write", "disable");
  std::string error;
  for (const std::string& name : mpi_paths(path_)) {
    const int code = MPI_File_open(communicator, name.c_str(), access, hints, &file_);
    error = failure(code, "open");
    if (code == MPI_SUCCESS) break;
  }
  MPI_Info_free(&hints);
  agree(communicator, error);
}

ParallelFile::~ParallelFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

Index ParallelFile::bytes() {
  MPI_Offset bytes = 0;
  const int code = MPI_File_get_size(file_, &bytes);
  agree(communicator_, failure(code, "ask for the size of"));
  return bytes;
}

void ParallelFile::read(const FileArray& array, const Box& box, void* data, const Moved& moved,
                        Index piece_bytes) {
  auto* to = static_cast<char*>(data);
  move(array, box, piece_bytes, moved, [&](Index offset, int count) {
    MPI_Status status;
    const int code = MPI_File_read_at(file_, 0, to + offset, count, MPI_BYTE, &status);
    if (code != MPI_SUCCESS || bytes_of(status) == count) return failure(code, "read");
    return fmt::format("cannot read {}: it ended too soon", path_);
  });
}

void ParallelFile::write(const FileArray& array, const Box& box, const void* data,
                         const Moved& moved, Index piece_bytes) {
  const auto* from = static_cast<const char*>(data);
  move(array, box, piece_bytes, moved, [&](Index offset, int count) {
    MPI_Status status;
    const int code = MPI_File_write_at(file_, 0, from + offset, count, MPI_BYTE, &status);
    if (code != MPI_SUCCESS || bytes_of(status) == count) return failure(code, "write");
    return fmt::format("cannot write {}: the disk took only part", path_);
  });
}

template <class Transfer>
void ParallelFile::move(const FileArray& array, const Box& box, Index piece_bytes,
                        const Moved& moved, Transfer&& transfer) {
  // Also where the caller lifts the limit, a piece has no more bytes than an int counts.
  const Index most = std::min<Index>(piece_bytes, std::numeric_limits<int>::max());
  const std::vector<Box> pieces = pieces_of(box, most / array.element_bytes);
  const auto mine = static_cast<Index>(pieces.size());
  Index rounds = 0;
  MPI_Allreduce(&mine, &rounds, 1, MPI_INT64_T, MPI_MAX, communicator_);
  const Box nothing{{0}, {0}};
  Index offset = 0;
  for (Index round = 0; round < rounds; ++round) {
    const Box piece = round < mine ? pieces[round] : nothing;
    const Index bytes = piece.volume() * array.element_bytes;
    const int code = set_view(file_, array, piece);
    agree(communicator_, failure(code, "set a view of"));
    agree(communicator_, transfer(offset, static_cast<int>(bytes)));
    offset += bytes;
    if (moved) moved(bytes);
  }
}

void ParallelFile::write_start(const std::string& text) {
  int code = MPI_SUCCESS;
  if (rank_in(communicator_) == 0)
    code = MPI_File_write_at(file_, 0, text.data(), static_cast<int>(text.size()), MPI_BYTE,
                             MPI_STATUS_IGNORE);
  agree(communicator_, failure(code, "write"));
}

void ParallelFile::sync_and_close() {
  const int synced = MPI_File_sync(file_);
  const int closed = MPI_File_close(&file_);
  agree(communicator_, failure(synced != MPI_SUCCESS ? synced : closed, "write"));
}

/// "" where the code is that of success.
std::string ParallelFile::failure(int code, const char* doing) const {
  if (code == MPI_SUCCESS) return "";
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::replace(text, text + length, '\n', ' ');
  return fmt::format("cannot {} {}: {}", doing, path_, text);
}

TemporaryFile::TemporaryFile(MPI_Comm communicator, const std::string& target, Index bytes)
    : communicator_(communicator), target_(target), published_(target.empty()) {
  if (published_) return;
  agree_on(communicator, [&] {
    if (rank_in(communicator) != 0) return;
    target_ = resolved(target);
    check_target(target_, bytes);
    path_ = create_beside(target_);
    doom(path_);
  });
  path_ = broadcast(communicator, 0, path_);
  // A limit on the size of files is to fail the write, as a full disk does, and not kill the rank.
  std::signal(SIGXFSZ, SIG_IGN);
}

// Any rank removes it, not only the one that made it: a rank that fails alone may end the job at
// once.
TemporaryFile::~TemporaryFile() {
  if (published_) return;
  unlink(path_.c_str());
  spare(path_);
}

void TemporaryFile::publish() {
  if (published_) return;
  agree_on(communicator_, [&] {
    if (rank_in(communicator_) != 0) return;
    if (std::rename(path_.c_str(), target_.c_str()) != 0)
      throw Error(fmt::format("cannot write {}: {}", target_, reason()));
    spare(path_);
    sync_folder(target_);
  });
  published_ = true;
}

void TemporaryFile::publish_text(const std::string& text) {
  agree_on(communicator_, [&] {
    if (published_ || rank_in(communicator_) != 0) return;
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) throw Error(fmt::format("cannot write {}", path_));
  });
  publish();
}

}  // namespace weft::command
