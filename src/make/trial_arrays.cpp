// If one rank has too little memory, all ranks throw.
#include "make/trial_arrays.hpp"

namespace weft {

TrialArrays::TrialArrays(Session& session) {
  constexpr std::array sides{Side::input, Side::output};
  if (session.plan().request.options.arrays == Arrays::plan) {
    arrays_ = {session.own_array(Side::input, session.ends().type(Side::input)),
               session.own_array(Side::output, session.ends().type(Side::output))};
    return;
  }
  session.resources().agree([&] {
    for (const Side side : sides) {
      AlignedBuffer& memory = memory_[side == Side::input ? 0 : 1];
      memory = AlignedBuffer(session.ends().bytes(side) + 1);
      arrays_[side == Side::input ? 0 : 1] = {memory.data(), session.ends().type(side)};
    }
  });
}

}  // namespace weft
