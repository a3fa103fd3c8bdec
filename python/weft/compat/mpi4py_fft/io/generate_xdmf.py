"""XDMF files that describe an HDF5File to ParaView and VisIt: one for each shape of parts in it,
since their grids differ."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ...._core import Error

Steps = dict[int, list[str]]  # paths of datasets by step


def generate_xdmf(
    h5filename: str, periodic: bool | Sequence[bool] = True, order: str = "paraview"
) -> None:
    """Writes NAME.xdmf, and NAME_slice_4_slice.xdmf for parts of that name, beside an HDF5File
    NAME.h5 of real scalars. On one rank.

    periodic: whether the last point along each axis lies before the end of the domain; for meshes,
    it changes nothing. order: 'paraview' or 'visit', which want the coordinates of planes in
    opposite orders.
    """
    import h5py

    if order.lower() not in ("paraview", "visit"):
        raise Error(f"order: {order!r}; valid are 'paraview' and 'visit'")
    with h5py.File(h5filename, "r") as file:
        for (dimensions, slice_name), steps in sorted(_datasets(file).items()):
            grid = _Grid(file, h5filename, dimensions, slice_name, next(iter(steps.values()))[0])
            root = _document(file, grid, steps, periodic, order.lower() == "visit")
            ElementTree.indent(root)
            ending = f"_{slice_name}.xdmf" if slice_name else ".xdmf"
            name = h5filename.removesuffix(".h5") + ending
            ElementTree.ElementTree(root).write(name, encoding="utf-8", xml_declaration=True)


def _datasets(file: Any) -> dict[tuple[int, str], Steps]:
    """The datasets of two and three axes, by that number and the part's name ('': whole fields)."""
    found: dict[tuple[int, str], Steps] = defaultdict(lambda: defaultdict(list))

    def note(path: str, entry: Any) -> None:
        name, kind, *part = path.split("/")[:-1] if path.count("/") > 1 else ("", "")
        if kind not in ("2D", "3D") or not hasattr(entry, "dtype") or file[name].attrs["rank"]:
            return
        if entry.dtype.kind != "f":
            raise Error(f"{path}: has elements of {entry.dtype}; valid are real numbers")
        found[int(kind[0]), "".join(part)][int(path.split("/")[-1])].append(path)

    file.visititems(note)
    return found


class _Grid:
    """Where the points of a dataset lie.

    extents: of the dataset, and 1 where a plane cuts an axis of a box; axes: of the field along
    these; cut: which of them that is, and at which index.
    """

    def __init__(
        self, file: Any, filename: str, dimensions: int, slice_name: str, path: str
    ) -> None:
        dataset = file[path]
        self.filename = filename
        self.group = path.split("/")[0]
        self.lengths = [int(length) for length in file[self.group].attrs["shape"]]
        words = slice_name.split("_") if slice_name else ["slice"] * dimensions
        self.axes = [axis for axis, word in enumerate(words) if word == "slice"]
        self.extents = list(dataset.shape)
        self.cut = -1
        if dimensions == 2 and len(self.lengths) == 3 and slice_name:
            self.cut = next(axis for axis in range(3) if axis not in self.axes)
            self.index = int(words[self.cut])
            self.axes = [0, 1, 2]
            self.extents.insert(self.cut, 1)
        self.is_mesh = "mesh" in file[self.group]
        lines = file[self.group]["mesh" if self.is_mesh else "domain"]
        self.lines = [lines[f"x{axis}"][...] for axis in range(len(self.lengths))]

    def add_to(self, parent: ElementTree.Element, periodic: Sequence[bool], reversed: bool) -> None:
        """Geometry and topology, as XDMF wants them."""
        if self.is_mesh:
            self._add_mesh(parent, reversed)
        else:
            self._add_box(parent, periodic, reversed)
        _add(
            parent,
            "Topology",
            Dimensions=self.dimensions(),
            Type="3DRectMesh" if self.is_mesh else "3DCoRectMesh",
        )

    def dimensions(self) -> str:
        """The dimensions of a dataset, for three axes."""
        return " ".join(map(str, [1] * (3 - len(self.extents)) + self.extents))

    def _add_box(
        self, parent: ElementTree.Element, periodic: Sequence[bool], reversed: bool
    ) -> None:
        """Origin and distances."""
        flat = len(self.extents) == 2
        geometry = _add(parent, "Geometry", Type="ORIGIN_DXDY" if flat else "ORIGIN_DXDYDZ")
        origins, distances = [], []
        for axis in self.axes:
            origin, length = self.lines[axis]
            distance = length / max(self.lengths[axis] - (not periodic[axis]), 1)
            is_cut = axis == self.cut
            origins.append(origin + distance * self.index if is_cut else origin)
            distances.append(distance)
        for values in (origins, distances):
            ordered = values[::-1] if flat and reversed else values
            _add_numbers(geometry, ordered)

    def _add_mesh(self, parent: ElementTree.Element, reversed: bool) -> None:
        """Coordinates along each axis, the last one first in space, and in the plane as told."""
        geometry = _add(parent, "Geometry", Type="VXVYVZ")
        flat = len(self.extents) == 2
        pairs = list(zip(self.axes, self.extents))
        for axis, extent in pairs if flat and not reversed else pairs[::-1]:
            if axis == self.cut:
                _add_numbers(geometry, [self.lines[axis][self.index]], Precision="8")
            else:
                path = f"{self.filename}:{self.group}/mesh/x{axis}"
                _add_dataset(geometry, path, self.lines[axis].dtype, str(extent))
        if flat:
            _add_numbers(geometry, [0.0], Precision="8")


def _document(
    file: Any, grid: _Grid, steps: Steps, periodic: bool | Sequence[bool], reversed: bool
) -> ElementTree.Element:
    """All steps of the datasets on one grid."""
    by_axis = [periodic] * len(grid.lengths) if isinstance(periodic, bool) else list(periodic)
    root = ElementTree.Element("Xdmf", Version="2.1")
    domain = _add(root, "Domain")
    series = _add(
        domain, "Grid", Name="Structured Grid", GridType="Collection", CollectionType="Temporal"
    )
    times = _add(series, "Time", TimeType="List")
    text = " ".join(map(str, sorted(steps)))
    _add(times, "DataItem", text, Format="XML", Dimensions=str(len(steps)))
    for step in sorted(steps):
        snapshot = _add(series, "Grid", GridType="Uniform")
        grid.add_to(snapshot, by_axis, reversed)
        for path in steps[step]:
            attribute = _add(snapshot, "Attribute", Name=path.split("/")[0], Center="Node")
            name = f"{grid.filename}:/{path}"
            _add_dataset(attribute, name, file[path].dtype, grid.dimensions())
    return root


def _add(
    parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str
) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, tag, attributes)
    child.text = text
    return child


def _add_numbers(parent: ElementTree.Element, values: Sequence[float], **attributes: str) -> None:
    """Numbers that stand in the XDMF file itself."""
    text = " ".join(map(str, map(float, values)))
    count = str(len(values))
    _add(parent, "DataItem", text, Format="XML", NumberType="Float", Dimensions=count, **attributes)


def _add_dataset(parent: ElementTree.Element, path: str, dtype: np.dtype, dimensions: str) -> None:
    """A reference to numbers in the HDF5 file."""
    _add(
        parent,
        "DataItem",
        path,
        Format="HDF",
        NumberType="Float",
        Precision=str(dtype.itemsize),
        Dimensions=dimensions,
    )
