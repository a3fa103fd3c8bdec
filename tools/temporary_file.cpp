// Rank 0 alone makes the file (file/new_file.hpp); the others learn its name.
#include "temporary_file.hpp"

#include <unistd.h>

#include <csignal>

#include "ranks.hpp"

namespace weft::command {

TemporaryFile::TemporaryFile(MPI_Comm communicator, const std::string& target, Index bytes)
    : communicator_(communicator), published_(target.empty()) {
  if (published_) return;
  // A limit on the size of files is to fail the write, as a full disk does, and not kill the rank.
  std::signal(SIGXFSZ, SIG_IGN);
  agree(communicator, [&] {
    if (rank_in(communicator) == 0) made_.emplace(target, bytes);
  });
  path_ = broadcast_text(communicator, made_ ? made_->path() : "");
  token_ = broadcast_text(communicator, made_ ? made_->token() : "");
}

// Any rank removes it, not only the one that made it: if one rank fails, it may end the job at
// once.
TemporaryFile::~TemporaryFile() {
  if (!published_) unlink(path_.c_str());
}

void TemporaryFile::publish() {
  if (published_) return;
  agree(communicator_, [&] {
    if (made_) made_->publish();
  });
  published_ = true;
}

void TemporaryFile::publish_text(const std::string& text) {
  agree(communicator_, [&] {
    if (made_) made_->write(text);
  });
  publish();
}

}  // namespace weft::command
