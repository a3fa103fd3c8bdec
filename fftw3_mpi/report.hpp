// What the user asks of the drop-in with WEFT_FFTW, what it tells about plans at exit, and how it
// ends a job: FFTW's interface has no errors.
#pragma once

#include <atomic>
#include <exception>
#include <string>

#include "abi.hpp"

namespace weft::fftw {

/// off: FFTW computes everything. check: Weft and FFTW both compute, and must agree. on: Weft
/// computes what it can. The more cautious is the lower.
enum class Mode { off, check, on };

/// What WEFT_FFTW says on the most cautious of these ranks. Collective.
Mode agreed_mode(MPI_Comm communicator);

/// Counts a plan, and says where its transforms run. `reason`: why FFTW has it; empty: Weft has.
/// Returns the counter of its transforms, which plans of several threads share.
std::atomic<long>* count_plan(const std::string& problem, const std::string& reason);

/// Prints the message, and ends the job.
[[noreturn]] void end_job(const std::string& message);

/// Runs `work`, whose exceptions, which cannot leave functions of C, end the job. `what`: said in
/// front of the message.
template <class Work>
auto guarded(const char* what, Work&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    end_job(std::string(what) + ": " + error.what());
  }
}

}  // namespace weft::fftw
