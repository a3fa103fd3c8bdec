// FFTW's names of the DCT and DST, from what they shift: REDFT10 has points half a step off a wall.
#pragma once

#include <fftw3.h>

#include "truth/walls.hpp"

namespace weft::test {

inline fftw_r2r_kind fftw_kind(const Walls& walls) {
  const bool points = walls.point == 1, waves = walls.wave == 1;
  if (walls.is_sine)
    return points ? (waves ? FFTW_RODFT11 : FFTW_RODFT10) : (waves ? FFTW_RODFT01 : FFTW_RODFT00);
  return points ? (waves ? FFTW_REDFT11 : FFTW_REDFT10) : (waves ? FFTW_REDFT01 : FFTW_REDFT00);
}

}  // namespace weft::test
