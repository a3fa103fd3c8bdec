// Communicators that Weft owns, and the agreement that makes planning fail on all ranks if it fails
// on one, at the price of a reduction each time.
#include "mpi/communicator.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>

namespace weft {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(fmt::format("{} failed: {}", call, std::string(text, length)), Error::Cause::mpi);
}

Communicator::Communicator(MPI_Comm owned)
    : handle_(new MPI_Comm(owned), [](MPI_Comm* handle) {
        if (!is_finalized()) MPI_Comm_free(handle);
        delete handle;
      }) {
  check_mpi(MPI_Comm_set_errhandler(owned, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(owned, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(owned, &size_), "MPI_Comm_size");
}

void require_no_fork() {
  static const pid_t first = getpid();
  if (getpid() == first) return;
  throw Error(
      fmt::format("this process, {}, is a child made by fork of process {}, which has made plans; "
                  "it is no rank "
                  "of the job, and valid are calls by its parent",
                  getpid(), first));
}

bool is_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0;
}

void require_before_finalize() {
  if (is_finalized()) throw Error("MPI_Finalize has been called; plans are made and used before");
}

void require_usable(MPI_Comm communicator) {
  require_no_fork();
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized) throw Error("communicator: MPI is not initialised; call MPI_Init first");
  require_before_finalize();
  if (communicator == MPI_COMM_NULL)
    throw Error("communicator: MPI_COMM_NULL; valid is any intra-communicator");
  int between_groups = 0;
  check_mpi(MPI_Comm_test_inter(communicator, &between_groups), "MPI_Comm_test_inter");
  if (between_groups)
    throw Error("communicator: an inter-communicator; valid is any intra-communicator");
}

Communicator Communicator::duplicate(MPI_Comm original) {
  require_usable(original);
  MPI_Comm copy;
  check_mpi(MPI_Comm_dup(original, &copy), "MPI_Comm_dup");
  return Communicator(copy);
}

Communicator Communicator::split(int color, int key) const {
  MPI_Comm part;
  check_mpi(MPI_Comm_split(get(), color, key, &part), "MPI_Comm_split");
  return Communicator(part);
}

Communicator Communicator::split_by_node() const {
  MPI_Comm part;
  check_mpi(MPI_Comm_split_type(get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part),
            "MPI_Comm_split_type");
  return Communicator(part);
}

std::vector<int> ranks_within(MPI_Comm other, const Communicator& communicator) {
  std::vector<int> own(static_cast<std::size_t>(communicator.size())), there(own.size());
  std::iota(own.begin(), own.end(), 0);
  MPI_Group group = MPI_GROUP_NULL, other_group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(communicator.get(), &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(other, &other_group), "MPI_Comm_group");
  check_mpi(
      MPI_Group_translate_ranks(group, communicator.size(), own.data(), other_group, there.data()),
      "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&other_group);
  return there;
}

int thread_level() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  int level = MPI_THREAD_SINGLE;
  if (initialized != 0) MPI_Query_thread(&level);
  return level;
}

std::string thread_level_name() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized) return "no threads";
  const int level = thread_level();
  return level >= MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
         : level >= MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
         : level >= MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                          : "MPI_THREAD_SINGLE";
}

std::string host_name() {
  int length = 0;
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  check_mpi(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  return {name, static_cast<std::size_t>(length)};
}

void agree(MPI_Comm communicator, const std::function<void()>& work) {
  std::string message;
  auto cause = static_cast<int>(Error::Cause::argument);
  int failed_rank = std::numeric_limits<int>::max();
  try {
    work();
  } catch (const std::exception& error) {
    message = error.what();
    cause = static_cast<int>(cause_of(error));
    check_mpi(MPI_Comm_rank(communicator, &failed_rank), "MPI_Comm_rank");
  }
  int first = 0;
  check_mpi(MPI_Allreduce(&failed_rank, &first, 1, MPI_INT, MPI_MIN, communicator),
            "MPI_Allreduce");
  if (first == std::numeric_limits<int>::max()) return;
  check_mpi(MPI_Bcast(&cause, 1, MPI_INT, first, communicator), "MPI_Bcast");
  throw Error(broadcast_text(communicator, message, first), static_cast<Error::Cause>(cause));
}

void end_job(const Communicator& communicator, const std::string& message) {
  if (communicator.size() == 1) return;
  std::fprintf(stderr, "weft: rank %d: %s\n", communicator.rank(), message.c_str());
  std::fflush(nullptr);
  // MPICH's abort may itself wait for the others. A rank that just dies ends the job as well.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    std::_Exit(1);
  }).detach();
  MPI_Abort(communicator.get(), 1);
}

std::string broadcast_text(MPI_Comm communicator, std::string text, int root) {
  auto length = static_cast<std::int64_t>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT64_T, root, communicator), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, root, communicator),
            "MPI_Bcast");
  return text;
}

std::vector<std::string> texts_of_ranks(MPI_Comm communicator, const std::string& own) {
  int ranks = 0;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<std::string> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(broadcast_text(communicator, own, rank));
  return all;
}

double largest(MPI_Comm communicator, double value) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator),
            "MPI_Allreduce");
  return value;
}

void require_same(const Communicator& communicator, const std::vector<NamedValue>& values) {
  std::string own;
  for (const auto& [name, value] : values) own += value + '\n';
  const std::string text = broadcast_text(communicator.get(), own);
  agree(communicator, [&] {
    std::istringstream lines(text);
    std::string first;
    for (const auto& [name, value] : values)
      if (std::getline(lines, first); value != first)
        throw Error(
            fmt::format("{}: rank {} passed \"{}\" and rank 0 \"{}\"; all ranks must pass the same",
                        name, communicator.rank(), value, first));
  });
}

std::vector<int> find_nodes(const Communicator& communicator, const Communicator& node) {
  int first = communicator.rank();
  check_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, node.get()), "MPI_Bcast");
  return gathered(communicator, first);
}

}  // namespace weft
