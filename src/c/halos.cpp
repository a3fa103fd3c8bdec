// Ghost cells for C.
#include <algorithm>
#include <limits>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

template <class Work>
weft_status with_halo(weft_halo halo, Work&& work) {
  return guarded([&] { work(required(halo, "halo").halo); });
}

RawArray raw_array(const Halo& halo, void* first) {
  RawArray array;
  array.data = first;
  array.type.plain_bytes = halo.element_bytes();
  return array;
}

GhostCells cells_of(int axes, const int64_t below[], const int64_t above[], const int periodic[],
                    int corners) {
  const int64_t* const first = &required(below, "below");
  const int64_t* const second = &required(above, "above");
  GhostCells cells{{first, first + axes}, {second, second + axes}, {}, corners != 0};
  for (int axis = 0; axis < axes; ++axis)
    cells.periodic.push_back((&required(periodic, "periodic"))[axis] != 0);
  return cells;
}

/// Sizes that no int holds are wrong as well.
int narrowed(size_t element_bytes) {
  return static_cast<int>(std::min<size_t>(element_bytes, std::numeric_limits<int>::max()));
}

}  // namespace

weft_status weft_halo_create(MPI_Comm communicator, weft_layout layout, const int64_t below[],
                             const int64_t above[], const int periodic[], int corners,
                             size_t element_bytes, weft_halo* halo) {
  return guarded([&] {
    GhostCells cells;
    Layout of;
    agreed(communicator, [&] {
      required(halo, "halo");
      of = required(layout, "layout").layout;
      cells = cells_of(of.global().size(), below, above, periodic, corners);
    });
    *halo = new weft_halo_s{Halo(communicator, of, cells, narrowed(element_bytes))};
  });
}

weft_status weft_halo_layout(weft_halo halo, weft_layout* layout) {
  return with_halo(halo, [&](const Halo& own) {
    weft_layout& result = required(layout, "layout");
    result = new weft_layout_s{own.layout()};
  });
}

weft_status weft_halo_sizes(weft_halo halo, int64_t* allocated, int64_t* offset) {
  return with_halo(halo, [&](const Halo& own) {
    required(allocated, "allocated") = own.allocated();
    required(offset, "offset") = own.offset();
  });
}

weft_status weft_halo_update(weft_halo halo, void* array) {
  return with_halo(halo, [&](Halo& own) {
    own.start(raw_array(own, array));
    own.wait();
  });
}

weft_status weft_halo_start(weft_halo halo, void* array) {
  return with_halo(halo, [&](Halo& own) { own.start(raw_array(own, array)); });
}

weft_status weft_halo_wait(weft_halo halo) {
  return with_halo(halo, [](Halo& own) { own.wait(); });
}

void weft_halo_drop(weft_halo* halo) {
  if (halo == nullptr) return;
  delete *halo;
  *halo = nullptr;
}
