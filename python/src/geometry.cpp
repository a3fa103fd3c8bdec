// Box and Layout: values with their geometry as tuples.
#include "given.hpp"

namespace weft::python {
namespace {

Tuple<nb::slice> slices_of(const Box& box) {
  nb::list slices;
  for (int axis = 0; axis < box.axes(); ++axis)
    slices.append(nb::slice(static_cast<nb::ssize_t>(box.lower[axis]),
                            static_cast<nb::ssize_t>(std::max(box.lower[axis], box.upper[axis]))));
  return Tuple<nb::slice>(nb::tuple(slices));
}

/// The slices of a rank's indices in the global array; those of cyclic axes have a step.
Tuple<nb::slice> slices_of_rank(const Layout& layout, int rank) {
  const Box box = box_of(layout, rank);
  nb::list slices;
  for (int axis = 0; axis < box.axes(); ++axis) {
    if (layout.is_scrambled(axis))
      throw Error("slices: the indices of axis " + std::to_string(axis) +
                  " are scrambled; valid are other layouts, such as output=transposed makes");
    if (!layout.is_dealt(axis) || box.empty()) {
      slices.append(
          nb::slice(static_cast<nb::ssize_t>(box.lower[axis]),
                    static_cast<nb::ssize_t>(std::max(box.lower[axis], box.upper[axis]))));
      continue;
    }
    const auto [first, count, step] = layout.indices(rank, axis);
    slices.append(nb::slice(static_cast<nb::ssize_t>(first),
                            static_cast<nb::ssize_t>(first + (count - 1) * step + 1),
                            static_cast<nb::ssize_t>(step)));
  }
  return Tuple<nb::slice>(nb::tuple(slices));
}

void bind_box(nb::module_& module) {
  nb::class_<Box>(module, "Box", "Half-open ranges of global indices, one for each axis.")
      .def(
          "__init__",
          [](Box* self, const Given<Indices>& lower, const Given<Indices>& upper) {
            if (lower.as("lower").size() != upper.as("upper").size())
              throw Error("box: lower and upper differ in length");
            new (self) Box{per_axis(*lower.value), per_axis(*upper.value)};
          },
          nb::arg("lower"), nb::arg("upper"))
      .def_prop_ro(
          "lower", [](const Box& box) { return tuple_of(box.lower); },
          "The first index along each axis.")
      .def_prop_ro(
          "upper", [](const Box& box) { return tuple_of(box.upper); },
          "The first index beyond, along each axis.")
      .def_prop_ro(
          "shape", [](const Box& box) { return tuple_of(box.extents()); },
          "The number of indices along each axis.")
      .def_prop_ro("size", &Box::volume, "The number of indices inside.")
      .def_prop_ro("slices", &slices_of, "Selects these indices of a global NumPy array.")
      .def(
          "intersect",
          [](const Box& box, const Given<Box>& other) {
            if (box.axes() != other.as("other").axes())
              throw Error("intersect: boxes of different axes");
            return intersect(box, *other.value);
          },
          nb::arg("other"), "The indices that are in both boxes.")
      .def(
          "__eq__",
          [](const Box& box, const nb::object& other) {
            return nb::isinstance<Box>(other) && box == nb::cast<const Box&>(other);
          },
          nb::arg("other"))
      .def("__contains__",
           [](const Box& box, const Given<Indices>& point) {
             const Indices& at = point.as("point");
             return static_cast<int>(at.size()) == box.axes() && box.contains(per_axis(at));
           })
      .def("__getstate__",
           [](const Box& box) { return std::make_pair(list_of(box.lower), list_of(box.upper)); })
      .def("__setstate__",
           [](Box& box, const std::pair<Indices, Indices>& corners) {
             new (&box) Box{per_axis(corners.first), per_axis(corners.second)};
           })
      .def("__repr__", [](const Box& box) { return "Box " + to_string(box); });
}

int checked_rank(const Layout& layout, const Given<int>& given) {
  const int rank = given.as("rank");
  if (rank < 0 || rank >= layout.ranks())
    throw Error("rank: " + std::to_string(rank) + "; the layout has " +
                std::to_string(layout.ranks()) + " ranks");
  return rank;
}

Shape shape_of(const Given<Extents>& shape) { return per_axis(shape.as("shape").lengths); }

Layout from_grid(const Given<Extents>& shape, const Given<Counts>& grid,
                 const Given<std::vector<Counts>>& split, const Given<std::string>& partition) {
  return Layout::grid(shape_of(shape), grid.as("grid"), per_axis(split.as("split")),
                      parse_partition(partition.as("partition")));
}

Layout gathered(std::uintptr_t comm, const Indices& shape, const Box& box) {
  nb::gil_scoped_release free;
  return gather_layout(communicator(comm), per_axis(shape), box);
}

/// All of a layout, for pickles: shape, order, padding, strides, boxes; of grids instead of boxes
/// the counts, split, partition and cuts, the ranks and how far apart they are, and the classes of
/// a scrambled axis.
using State = std::tuple<Indices, Counts, Indices, Indices, std::vector<Box>, Counts,
                         std::vector<Counts>, std::string, std::vector<Indices>, int, int, Index>;

State state_of(const Layout& layout) {
  const bool is_strided = layout.has_gaps() && layout.padding().empty();
  const bool is_scrambled = layout.ranks() > 0 && layout.is_scrambled(0);
  std::vector<Indices> cuts;
  for (int axis = 0; layout.has_grid() && axis < layout.global().size(); ++axis)
    cuts.push_back(layout.cuts(axis));
  return {list_of(layout.global()),
          list_of(layout.order()),
          list_of(layout.padding()),
          is_strided ? list_of(layout.strides(0)) : Indices(),
          layout.has_grid() || layout.ranks() == 0 ? std::vector<Box>() : layout.boxes(),
          layout.process_grid(),
          list_of(layout.split()),
          to_string(layout.partition()),
          cuts,
          layout.ranks(),
          layout.stride_of_ranks(),
          is_scrambled ? layout.classes(0) : 1};
}

Layout from_state(const State& state) {
  const auto& [shape, order, padding, strides, boxes, grid, split, partition, cuts, ranks, stride,
               classes] = state;
  if (ranks == 0) return {};
  const Shape global = per_axis(shape);
  const Layout layout =
      (grid.empty()
           ? Layout::boxes(global, boxes)
           : (classes > 1 ? Layout::scrambled(global[0], classes, grid[0])
                          : Layout::grid(global, grid, per_axis(split), parse_partition(partition)))
                 .cut_at(per_axis(cuts))
                 .spread(ranks, stride))
          .ordered(per_axis(order));
  if (!padding.empty()) return layout.padded(per_axis(padding));
  return strides.empty() ? layout : layout.strided(per_axis(strides));
}

void bind_makers(nb::class_<Layout>& layout) {
  layout.def(nb::init<>(), "No layout: given to a Plan, the planner chooses one.")
      .def_static(
          "slabs",
          [](const Given<Extents>& shape, const Given<int>& ranks, const Given<int>& axis) {
            return Layout::slabs(shape_of(shape), ranks.as("ranks"), axis.as("axis"));
          },
          nb::arg("shape"), nb::arg("ranks"), nb::arg("axis") = 0,
          "`axis` is split over all ranks.")
      .def_static(
          "pencils",
          [](const Given<Extents>& shape, const Given<Counts>& grid, const Given<int>& local_axis) {
            return Layout::pencils(shape_of(shape), per_axis(grid.as("grid")),
                                   local_axis.as("local_axis"));
          },
          nb::arg("shape"), nb::arg("grid"), nb::arg("local_axis") = -1,
          "Of the axes other than `local_axis` the first is split in grid[0], the second in "
          "grid[1].")
      .def_static(
          "bricks",
          [](const Given<Extents>& shape, const Given<Counts>& grid) {
            return Layout::bricks(shape_of(shape), per_axis(grid.as("grid")));
          },
          nb::arg("shape"), nb::arg("grid"), "One process count for each axis.")
      .def_static(
          "cyclic",
          [](const Given<Extents>& shape, const Given<Counts>& grid) {
            return Layout::cyclic(shape_of(shape), per_axis(grid.as("grid")));
          },
          nb::arg("shape"), nb::arg("grid"),
          "One process count for each axis; process i of p holds indices i, i + p, i + 2 p, ... "
          "Transforms between cyclic layouts need one exchange if p * p divides the lengths.")
      .def_static(
          "boxes",
          [](const Given<Extents>& shape, const Given<std::vector<Box>>& boxes) {
            return Layout::boxes(shape_of(shape), boxes.as("boxes"));
          },
          nb::arg("shape"), nb::arg("boxes"), "The caller's own boxes, one for each rank.")
      .def_static(
          "grid", &from_grid, nb::arg("shape"), nb::arg("grid"), nb::arg("split"),
          nb::arg("partition") = "balanced",
          "A process grid; split[a] lists its dimensions that split axis a, coarsest first.");
}

void bind_variants(nb::class_<Layout>& layout) {
  layout
      .def(
          "partitioned",
          [](const Layout& self, const Given<std::string>& rule) {
            return self.partitioned(parse_partition(rule.as("partition")));
          },
          nb::arg("partition"),
          "The same split, cut as 'balanced', 'blocks', 'longer_first', 'longer_last' or 'cyclic'.")
      .def(
          "spread",
          [](const Layout& self, const Given<int>& ranks, const Given<int>& stride) {
            return self.spread(ranks.as("ranks"), stride.as("stride"));
          },
          nb::arg("ranks"), nb::arg("stride") = 0,
          "The same process grid on some of `ranks` ranks, `stride` apart from 0 on; the others "
          "hold nothing. 0: as far apart as possible.")
      .def(
          "ordered",
          [](const Layout& self, const Given<Counts>& order) {
            return self.ordered(per_axis(order.as("order")));
          },
          nb::arg("order"), "The same boxes in another memory order, slowest axis first.")
      .def(
          "reshaped",
          [](const Layout& self, const Given<Extents>& shape) {
            return self.reshaped(shape_of(shape));
          },
          nb::arg("shape"), "The same split of another global shape.")
      .def(
          "padded",
          [](const Layout& self, const Given<Indices>& extra) {
            return self.padded(per_axis(extra.as("extra")));
          },
          nb::arg("extra"),
          "The same boxes in arrays with room for `extra` more elements per axis.")
      .def(
          "strided",
          [](const Layout& self, const Given<Indices>& strides) {
            return self.strided(per_axis(strides.as("strides")));
          },
          nb::arg("strides"), "The same boxes with this rank's own strides, in elements.")
      .def("contiguous", &Layout::contiguous, "The same boxes and order without gaps.");
}

void bind_facts(nb::class_<Layout>& layout) {
  layout
      .def_prop_ro(
          "shape", [](const Layout& self) { return tuple_of(self.global()); },
          "The shape of the global array.")
      .def_prop_ro("ranks", &Layout::ranks, "The number of ranks that it is spread over.")
      .def_prop_ro(
          "order", [](const Layout& self) { return tuple_of(self.order()); },
          "The memory order, slowest axis first.")
      .def_prop_ro(
          "process_grid", [](const Layout& self) { return tuple_of(self.process_grid()); },
          "The process count of each grid dimension; empty where there is no grid.")
      .def_prop_ro("positions", &Layout::positions,
                   "The number of positions in the process grid: as many as ranks, unless spread.")
      .def_prop_ro("stride_of_ranks", &Layout::stride_of_ranks,
                   "The distance between ranks of neighbouring positions; 1 unless spread.")
      .def_prop_ro(
          "split", [](const Layout& self) { return tuple_of(self.split()); },
          "For each axis the grid dimensions that split it, coarsest first.")
      .def_prop_ro(
          "partition", [](const Layout& self) { return to_string(self.partition()); },
          "The rule by which axes are cut.")
      .def_prop_ro(
          "classes",
          [](const Layout& self) {
            Indices classes;
            for (int axis = 0; axis < self.global().size(); ++axis)
              classes.push_back(self.classes(axis));
            return tuple_of(per_axis(classes));
          },
          "For each axis the classes of indices, i modulo this number, that lie one behind the "
          "other; 1 where boxes hold indices themselves.")
      .def_prop_ro("has_ranges", &Layout::has_ranges,
                   "True where every rank holds a range of indices along each axis.")
      .def_prop_ro("has_gaps", &Layout::has_gaps, "False where every rank's array is contiguous.");
}

void bind_parts(nb::class_<Layout>& layout) {
  layout
      .def(
          "is_local",
          [](const Layout& self, const Given<int>& given) {
            const int axis = given.as("axis");
            if (axis < 0 || axis >= self.global().size())
              throw Error("axis: " + std::to_string(axis) + "; the layout has " +
                          std::to_string(self.global().size()));
            return self.is_local(axis);
          },
          nb::arg("axis"), "True where every rank that holds anything holds all of that axis.")
      .def(
          "box",
          [](const Layout& self, const Given<int>& rank) {
            return box_of(self, checked_rank(self, rank));
          },
          nb::arg("rank"),
          "The box of a rank; along axes of several classes it holds places, not indices.")
      .def(
          "slices",
          [](const Layout& self, const Given<int>& rank) {
            return slices_of_rank(self, checked_rank(self, rank));
          },
          nb::arg("rank"), "Selects a rank's part of a global NumPy array.")
      .def(
          "every_box",
          [](const Layout& self) {
            std::vector<Box> boxes;
            for (int rank = 0; rank < self.ranks(); ++rank) boxes.push_back(box_of(self, rank));
            return boxes;
          },
          "The box of each rank.")
      .def(
          "strides",
          [](const Layout& self, const Given<int>& rank) {
            return tuple_of(self.strides(checked_rank(self, rank)));
          },
          nb::arg("rank"), "Elements between neighbours along each axis of that rank's array.")
      .def(
          "allocated",
          [](const Layout& self, const Given<int>& rank) {
            return self.allocated(checked_rank(self, rank));
          },
          nb::arg("rank"), "The elements that rank's array takes in memory, gaps included.")
      .def(
          "has_boxes_of",
          [](const Layout& self, const Given<Layout>& other) {
            return self.has_boxes_of(other.as("other"));
          },
          nb::arg("other"), "Whether every rank holds the same elements in both.");
}

/// How layouts compare, print and are pickled.
void bind_value(nb::class_<Layout>& layout) {
  layout.def("__bool__", [](const Layout& self) { return self.ranks() > 0; })
      .def(
          "__eq__",
          [](const Layout& self, const nb::object& other) {
            return nb::isinstance<Layout>(other) && self == nb::cast<const Layout&>(other);
          },
          nb::arg("other"))
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](Layout& self, const State& state) { new (&self) Layout(from_state(state)); })
      .def("__hash__", [](const Layout& self) { return std::hash<std::string>()(to_string(self)); })
      .def("__repr__", [](const Layout& self) {
        return "Layout: " + (self.ranks() > 0 ? to_string(self) : "the planner's");
      });
}

void bind_layout(nb::module_& module) {
  nb::class_<Layout> layout(module, "Layout",
                            "Which box of a global array each rank holds, and in which memory "
                            "order; a value that needs no MPI.");
  bind_makers(layout);
  bind_variants(layout);
  bind_facts(layout);
  bind_parts(layout);
  bind_value(layout);
}

}  // namespace

Box box_of(const Layout& layout, int rank) {
  Box box = layout.box(rank);
  if (!box.empty()) return box;
  for (int axis = 0; axis < box.axes(); ++axis) {
    box.upper[axis] = std::min(box.upper[axis], layout.global()[axis]);
    box.lower[axis] = std::min(box.lower[axis], box.upper[axis]);
  }
  return box;
}

void bind_geometry(nb::module_& module) {
  bind_box(module);
  bind_layout(module);
  module.def("gather_layout", &gathered, nb::arg("comm"), nb::arg("shape"), nb::arg("box"));
}

}  // namespace weft::python
