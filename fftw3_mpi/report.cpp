// WEFT_FFTW and the report at exit, which rank 0 of MPI_COMM_WORLD prints with WEFT_FFTW=report.
#include "report.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

namespace weft::fftw {
namespace {

struct Wishes {
  Mode mode = Mode::on;
  bool report = false;
};

Wishes read_wishes() {
  Wishes wishes;
  const char* const text = std::getenv("WEFT_FFTW");
  std::istringstream words(text ? text : "");
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "report")
      wishes.report = true;
    else if (word == "off" || word == "check" || word == "on")
      wishes.mode = word == "off" ? Mode::off : word == "check" ? Mode::check : Mode::on;
    else
      end_job("WEFT_FFTW=" + std::string(text) +
              " is not understood; valid are on, off, check and report, with commas between them");
  }
  return wishes;
}

const Wishes& wishes() {
  static const Wishes read = read_wishes();
  return read;
}

/// Counts per problem and reason; written when the program ends.
class Report {
 public:
  ~Report() {
    if (!wishes().report || world_rank_ != 0) return;
    long on_weft = 0;
    long passed_on = 0;
    for (const auto& [key, line] : lines_) (key.second.empty() ? on_weft : passed_on) += line.plans;
    std::fprintf(stderr, "%s: %ld plans ran on Weft, %ld were passed on to FFTW\n",
                 own_name.c_str(), on_weft, passed_on);
    for (const auto& [key, line] : lines_) {
      if (key.second.empty())
        std::fprintf(stderr, "  Weft  %s: plans %ld, transforms %ld\n", key.first.c_str(),
                     line.plans, line.transforms.load());
      else
        std::fprintf(stderr, "  FFTW  %s: plans %ld; %s\n", key.first.c_str(), line.plans,
                     key.second.c_str());
    }
  }

  std::atomic<long>* count(const std::string& problem, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (world_rank_ < 0) MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
    Line& line = lines_[{problem, reason}];
    ++line.plans;
    return &line.transforms;
  }

 private:
  struct Line {
    long plans = 0;
    std::atomic<long> transforms = 0;
  };
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Line> lines_;
  int world_rank_ = -1;
};

Report& report() {
  static Report only;
  return only;
}

}  // namespace

Mode agreed_mode(MPI_Comm communicator) {
  const int mine = static_cast<int>(wishes().mode);
  int all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator);
  return static_cast<Mode>(all);
}

std::atomic<long>* count_plan(const std::string& problem, const std::string& reason) {
  return report().count(problem, reason);
}

void end_job(const std::string& message) {
  std::fprintf(stderr, "%s: %s; the job is ended\n", own_name.c_str(), message.c_str());
  std::fflush(stderr);
  int running = 0;
  MPI_Initialized(&running);
  if (running) MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace weft::fftw
