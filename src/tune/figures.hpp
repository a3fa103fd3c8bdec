// The few numbers of a machine that tell what a transform will take: measured once for each site,
// and kept.
#pragma once

#include <string>
#include <vector>

#include "session/job.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// The site that a job's measurements belong to; the same on all ranks. Collective.
Site site_of(const Job& job);

/// Figures by name:
///   memory             bytes per second that a rank copies while all do
///   fft                operations per second of 1-D FFTs in a rank's cache
///   METHOD.alpha       seconds of an exchange of nothing among all ranks
///   METHOD.beta        bytes per second that a rank sends in a large one
///   METHOD.node.alpha, METHOD.node.beta   the same among the ranks of a node
/// Seconds of an exchange of so many bytes per rank = alpha + bytes / beta (R. W. Hockney, The
/// communication challenge for MPP, Parallel Computing 20 (1994) 389-398). From the folder of
/// wisdom or an earlier call, else measured within a second or two. Collective; the same on all
/// ranks.
Figures figures_of(const Job& job, const Site& site);

/// The methods that figures are taken of.
std::vector<std::string> modelled_methods(const Topology& topology);

/// From rank 0 to all.
std::string broadcast_text(const Communicator& communicator, std::string text);

}  // namespace weft
