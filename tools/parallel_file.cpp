// A file view per piece rather than one per box: it costs a collective call each 64 MiB, and in
// return every count fits an int however large the array, and every offset is 64 bits wide. The
// transfers themselves are independent calls: layouts that follow the file have long runs and gain
// nothing from collective ones, and Open MPI 4.1 leaves ranks waiting for ever in one where a disk
// is full.
#include "parallel_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <weft/error.hpp>

#include "file/file_names.hpp"
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

int bytes_of(const MPI_Status& status) {
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

}  // namespace

std::vector<Box> pieces_of(const Box& box, Index most) {
  std::vector<Box> pieces;
  if (!box.empty()) append_pieces(box, std::max<Index>(1, most), pieces);
  return pieces;
}

ParallelFile::ParallelFile(MPI_Comm communicator, std::string path)
    : communicator_(communicator), path_(std::move(path)) {
  open(MPI_MODE_RDONLY);
}

// Another program may have put a link to another file there since the name was chosen.
ParallelFile::ParallelFile(MPI_Comm communicator, const TemporaryFile& made)
    : communicator_(communicator), path_(made.path()) {
  open(MPI_MODE_RDWR);
  std::string found(made.token().size(), '\0');
  const int code = MPI_File_read_at(file_, 0, found.data(), static_cast<int>(found.size()),
                                    MPI_BYTE, MPI_STATUS_IGNORE);
  std::string error = failure(code, "read");
  if (error.empty() && found != made.token())
    error = fmt::format("cannot write {}: another program has replaced it", path_);
  try {
    agree_on_text(communicator, error);
  } catch (...) {
    MPI_File_close(&file_);
    throw;
  }
}

void ParallelFile::open(int access) {
  // ROMIO would write scattered runs by reading, patching and writing back the gaps between them,
  // which needs locks that many file systems lack.
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "romio_ds_write", "disable");
  std::string error;
  for (const std::string& name : mpi_file_names(path_)) {
    const int code = MPI_File_open(communicator_, name.c_str(), access, hints, &file_);
    error = failure(code, "open");
    if (code == MPI_SUCCESS) break;
  }
  MPI_Info_free(&hints);
  agree_on_text(communicator_, error);
}

ParallelFile::~ParallelFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void ParallelFile::read(const FileArray& array, const Box& box, void* data, const Moved& moved,
                        Index piece_bytes) {
  auto* to = static_cast<char*>(data);
  move(array, box, piece_bytes, moved, [&](Index offset, int count) {
    MPI_Status status;
    const int code = MPI_File_read_at(file_, 0, to + offset, count, MPI_BYTE, &status);
    if (code != MPI_SUCCESS || bytes_of(status) == count) return failure(code, "read");
    return fmt::format("cannot read {}: it ended too soon; another program has shortened it",
                       path_);
  });
}

void ParallelFile::write(const FileArray& array, const Box& box, const void* data,
                         const Moved& moved, Index piece_bytes) {
  const auto* from = static_cast<const char*>(data);
  move(array, box, piece_bytes, moved, [&](Index offset, int count) {
    MPI_Status status;
    const int code = MPI_File_write_at(file_, 0, from + offset, count, MPI_BYTE, &status);
    if (code != MPI_SUCCESS || bytes_of(status) == count) return failure(code, "write");
    return fmt::format("cannot write {}: the disk took only part; it may be full", path_);
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
    agree_on_text(communicator_, failure(code, "set a view of"));
    agree_on_text(communicator_, transfer(offset, static_cast<int>(bytes)));
    offset += bytes;
    if (moved) moved(bytes);
  }
}

void ParallelFile::write_start(const std::string& text) {
  int code = MPI_SUCCESS;
  if (rank_in(communicator_) == 0)
    code = MPI_File_write_at(file_, 0, text.data(), static_cast<int>(text.size()), MPI_BYTE,
                             MPI_STATUS_IGNORE);
  agree_on_text(communicator_, failure(code, "write"));
}

void ParallelFile::sync_and_close() {
  const int synced = MPI_File_sync(file_);
  const int closed = MPI_File_close(&file_);
  agree_on_text(communicator_, failure(synced != MPI_SUCCESS ? synced : closed, "write"));
}

/// "" for MPI_SUCCESS.
std::string ParallelFile::failure(int code, const char* doing) const {
  if (code == MPI_SUCCESS) return "";
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::replace(text, text + length, '\n', ' ');
  return fmt::format("cannot {} {}: {}", doing, path_, text);
}

}  // namespace weft::command
