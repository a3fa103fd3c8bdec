// The few measured numbers of a machine from which the cost model predicts a transform's time:
// measured once per site and then kept, although a machine's speed may change later.
#pragma once

#include <string>
#include <vector>

#include "job/job.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// The site under which a job's measurements are stored; the same on all ranks. Collective.
Site site_of(const Job& job);

/// Figures by name:
///   memory             bytes per second that a rank reads and writes while all ranks copy
///   fft                operations per second of 1-D FFTs in a rank's cache
///   cores              of a node that the job may use
///   METHOD.alpha       seconds of an exchange of tiny messages among all ranks
///   METHOD.beta        bytes per second that a rank sends in a large exchange
///   METHOD.node.alpha, METHOD.node.beta   the same among the ranks of a node
/// An exchange in which each rank sends `bytes` takes alpha + bytes / beta seconds (R. W. Hockney,
/// The communication challenge for MPP, Parallel Computing 20 (1994) 389-398). Figures come from
/// an earlier call or the wisdom folder; otherwise they are measured, which takes a second or two.
/// Collective; the same on all ranks. If rank 0 has the environment variable WEFT_FIGURES, it
/// replaces them all, so that plans for another machine can be inspected and tested; figures that
/// it omits take the model's defaults.
Figures figures_of(const Job& job, const Site& site);

/// Parses the text of WEFT_FIGURES, such as "p2p.alpha=2e-5 p2p.beta=1e9". Throws an Error that
/// names the first word that is not a figure.
Figures parse_figures(const std::string& text);

/// The exchange methods that are measured and compared by the model.
std::vector<std::string> modelled_methods(const Topology& topology);

}  // namespace weft
