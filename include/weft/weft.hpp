// Weft: FFTs of arrays that are spread over MPI ranks. Everything public, in one include.
#pragma once

#include <weft/array.hpp>
#include <weft/axes.hpp>
#include <weft/box.hpp>
#include <weft/error.hpp>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/plan.hpp>
#include <weft/spectrum.hpp>
#include <weft/trace.hpp>
#include <weft/transform.hpp>
