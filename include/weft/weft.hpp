// Weft: FFTs of arrays that are spread over MPI ranks. Everything public, in one include.
#pragma once

#include <weft/array.hpp>
#include <weft/axes.hpp>
#include <weft/box.hpp>
#include <weft/describe.hpp>
#include <weft/error.hpp>
#include <weft/export.hpp>
#include <weft/fields.hpp>
#include <weft/halo.hpp>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/place.hpp>
#include <weft/plan.hpp>
#include <weft/request.hpp>
#include <weft/spectrum.hpp>
#include <weft/trace.hpp>
#include <weft/transform.hpp>
#include <weft/tune.hpp>
#include <weft/version.hpp>
#include <weft/wavenumbers.hpp>
#include <weft/wire.hpp>

/// Everything public: a Plan transforms Arrays that have Layouts, as a Transform and Options say.
namespace weft {}
