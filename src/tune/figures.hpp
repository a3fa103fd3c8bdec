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
/// ranks. The environment variable WEFT_FIGURES of rank 0 replaces them all, so that plans for
/// another machine can be looked at and tested; what it leaves out has the model's defaults.
Figures figures_of(const Job& job, const Site& site);

/// Figures as WEFT_FIGURES gives them: "p2p.alpha=2e-5 p2p.beta=1e9". Throws an Error that names
/// the first word that is none.
Figures parse_figures(const std::string& text);

/// The methods that figures are taken of.
std::vector<std::string> modelled_methods(const Topology& topology);

/// From rank 0 to all.
std::string broadcast_text(const Communicator& communicator, std::string text);

}  // namespace weft
