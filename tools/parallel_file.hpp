// Files read and written by all ranks at once, each its own box, through MPI-IO. Boxes move in
// pieces of bounded size, in rounds: no count outgrows an int, and an error on one rank ends the
// round on all.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>
#include <weft/box.hpp>

#include "temporary_file.hpp"

namespace weft::command {

/// Where an array lies in a file: contiguous from `offset` bytes on.
struct FileArray {
  Index offset = 0;
  Shape shape;  ///< slowest axis of the file first
  Index element_bytes = 0;
};

/// Cuts a box into boxes of at most `most` indices that follow each other in C order within the
/// box, so that each is contiguous in an array of the box alone.
std::vector<Box> pieces_of(const Box& box, Index most);

/// A file open on all ranks. Everything but asking for its path is collective, and throws on all
/// ranks if it fails on any.
class ParallelFile {
 public:
  /// Called after each round with the number of bytes that this rank moved in it.
  using Moved = std::function<void(Index bytes)>;

  /// To read; the file must exist.
  ParallelFile(MPI_Comm communicator, std::string path);
  /// To write a new file.
  ParallelFile(MPI_Comm communicator, const TemporaryFile& made);
  ~ParallelFile();
  ParallelFile(const ParallelFile&) = delete;
  ParallelFile& operator=(const ParallelFile&) = delete;

  /// Moves this rank's box between the file and `data`, an array of the box alone in the file's
  /// order; at most `piece_bytes` (or one element) at a time. The box may be empty.
  void read(const FileArray& array, const Box& box, void* data, const Moved& moved = {},
            Index piece_bytes = default_piece_bytes);
  void write(const FileArray& array, const Box& box, const void* data, const Moved& moved = {},
             Index piece_bytes = default_piece_bytes);
  /// Rank 0's text, written at the start of the file.
  void write_start(const std::string& text);

  /// Flushes the written data to the disk and closes the file.
  void sync_and_close();

  /// Large enough for a disk to stream, small enough for a progress bar to move.
  static constexpr Index default_piece_bytes = Index{64} << 20;

 private:
  template <class Transfer>
  void move(const FileArray& array, const Box& box, Index piece_bytes, const Moved& moved,
            Transfer&& transfer);
  void open(int access);
  std::string failure(int code, const char* doing) const;

  MPI_Comm communicator_;
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace weft::command
