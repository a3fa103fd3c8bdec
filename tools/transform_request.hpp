// The request to `weft transform`: from the command line and the file's header to a Transform and
// the resulting array. No file and no MPI: every rank decides alike, without a message.
#pragma once

#include <string>
#include <weft/transform.hpp>

#include "command_line.hpp"
#include "npy.hpp"
#include "plan_arguments.hpp"

namespace weft::command {

/// The user's input; 0 and "" are options not given.
struct RequestArguments {
  bool inverse = false;
  std::string shape;
  Index last_length = 0;
  PlanArguments plan;
};

/// --inverse, --shape, --last-length, and those of `add_transform_options`.
void add_request_options(Command command, RequestArguments& arguments);

struct TransformRequest {
  Transform transform;
  Direction direction = Direction::forward;
  std::string kind;  ///< as it was typed, or the default
  bool from_spectrum =
      false;               ///< the file holds the spectrum, and the result is the physical array
  bool widen = false;      ///< a file of real numbers for a transform of complex ones
  npy::Header output;      ///< of the result, in C order
  std::string assumption;  ///< the assumption made because the file does not tell, or ""
};

/// Throws `Error` if the file does not fit the arguments, or does not tell enough.
TransformRequest request_of(const RequestArguments& arguments, const npy::Header& input);

}  // namespace weft::command
