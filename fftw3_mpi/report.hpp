// The user's demands in WEFT_FFTW, the report about plans at exit, and the end of a job by a
// message: FFTW's interface has no errors.
#pragma once

#include <atomic>
#include <exception>
#include <string>

#include "abi.hpp"

namespace weft::fftw {

/// The name of this library, which messages begin with.
inline const std::string own_name = WEFT_FFTW_LIBRARY;

/// off: FFTW computes everything. check: Weft and FFTW both compute, and must agree. on: Weft
/// computes all problems that it can. The lower mode is the more cautious.
enum class Mode { off, check, on };

/// The mode of the most cautious of these ranks. Collective.
Mode agreed_mode(MPI_Comm communicator);

/// Counts a plan, and notes where its transforms run. `reason`: why FFTW runs them; empty: Weft
/// does. Returns the counter of its transforms, which plans of several threads share.
std::atomic<long>* count_plan(const std::string& problem, const std::string& reason);

/// Prints the message, and ends the job.
[[noreturn]] void end_job(const std::string& message);

/// Runs `work`. Its exceptions end the job, because they cannot leave functions of C. The message
/// begins with `what`.
template <class Work>
auto guarded(const char* what, Work&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    end_job(std::string(what) + ": " + error.what());
  }
}

}  // namespace weft::fftw
