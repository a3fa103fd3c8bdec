// Routes as text for people.
#pragma once

#include <string>

#include "plan/choice.hpp"
#include "plan/program.hpp"

namespace weft {

/// Passes, exchanges, grids, bytes and messages, buffers and peak memory of one rank. `forward`:
/// the bound program, for the tiles it chose; may be null.
std::string describe(const RouteRequest& request, const Routes& routes, const Topology& topology,
                     const Caches& caches, int rank, const Program* forward,
                     const Choice& choice = {});

/// "c2c along axis 2, then c2c along axis 1".
std::string steps_text(const Stage& stage);

/// The modes that a transform keeps; "all" where it keeps them all.
std::string modes_text(const Transform& transform);

/// "3.2 MB", in steps of 1024.
std::string bytes_text(double bytes);

}  // namespace weft
