// The options that describe, transform and bench share: from the command line to Transform and
// Options.
#pragma once

#include <string>
#include <weft/options.hpp>
#include <weft/plan.hpp>
#include <weft/transform.hpp>

#include "command_line.hpp"

namespace weft::command {

/// The user's input; an empty string is an option not given. Held by a shared_ptr that the
/// subcommand's callback captures, because the parser writes into it while parsing.
struct PlanArguments {
  // The transform.
  std::string kind;
  std::string precision = "double";
  std::string scale = "backward";
  std::string axes;     // "0,2" or "-1"; empty: all
  std::string modes;    // "2/3" for all axes, or "85,all,grid 64"
  std::string ellipse;  // "85" or "85,85,0"
  std::string dropped = "absent";
  // How to compute it: a base string for Options::parse, then single settings that override it.
  std::string options;
  std::string layout;
  std::string grid;
  std::string active_ranks;
  std::string output;
  std::string device;
  std::string exchange;
  std::string engine;
  std::string engine_effort;
  int threads = 0;
};

/// --kind, --axes, --scale, --modes, --ellipse, --dropped: what to compute.
void add_transform_options(Command command, PlanArguments& arguments);

/// --device, --exchange, --engine, --engine-effort, --threads, --options: how to run it.
void add_execution_options(Command command, PlanArguments& arguments);

/// All of the above, --precision, and --layout, --grid, --active-ranks and --output for arrays
/// whose layout is left to the planner.
void add_plan_options(Command command, PlanArguments& arguments);

/// SHAPE, for `parse_shape`.
void add_shape(Command command, std::string& shape);

/// The transform of an array of that (physical) shape; `default_kind` where --kind was not given.
/// Throws `Error` naming what is wrong.
Transform transform_of(const PlanArguments& arguments, const Shape& shape,
                       Kind default_kind = Kind::c2c);

/// The options typed; settings given singly override those in --options, which override `defaults`
/// (a string for Options::parse, "engine_effort=estimate" say).
Options options_of(const PlanArguments& arguments, const std::string& defaults = "");

/// Whether the host may touch the plan's own arrays.
bool is_for_host(const Plan& plan);

/// The methods that a plan uses, each once: "shared,p2p", or "none".
std::string exchanges_of(const Plan& plan);

}  // namespace weft::command
