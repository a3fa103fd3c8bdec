"""DeviceArray: this rank's part of an array in the memory of a plan's device, for the plan and for
other libraries that use the device."""

from typing import Any, NoReturn

import numpy as np
from mpi4py import MPI

from . import _core
from ._core import Error, Layout
from .array import Array
from .distributed import empty_local
from .space import Space

CUDA = 2  # as DLPack numbers kinds of memory


class DeviceArray:
    """An array that a plan for a device has made. NumPy cannot touch its elements: `numpy()` and
    `copy_to_host()` copy them. CuPy, torch and JAX take it as it is, by __cuda_array_interface__
    or DLPack, if its device is one that they know.

    local: the memory, which plans take; layout, comm, space: as of a weft.Array.

    >>> plan = weft.Plan((4, 6), "r2c", device="emulated")
    >>> u = plan.make_input()
    >>> u.copy_from(1)
    >>> print(plan.forward(u).copy_to_host().at[0, 0])
    (24+0j)
    """

    __slots__ = ("local", "layout", "comm", "space", "dtype", "_plan", "__weakref__")

    def __init__(
        self,
        core: _core.Plan,
        local: _core.DeviceMemory,
        layout: Layout,
        comm: MPI.Intracomm,
        space: Space,
    ) -> None:
        self.layout: Layout = layout
        self.comm: MPI.Intracomm = comm
        self.space: Space = space
        self.local: _core.DeviceMemory = local
        self.dtype: np.dtype = np.dtype(local.dtype)
        self._plan = core

    @property
    def device(self) -> str:
        """The name of the device.

        >>> weft.Plan((4, 6), device="emulated").make_input().device
        'emulated'
        """
        return self._plan.device

    @property
    def address(self) -> int:
        """The address of the first element, in the device's memory.

        >>> weft.Plan((4, 6), device="emulated").make_input().address > 0
        True
        """
        return self.local.address

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of this rank's part.

        >>> u = weft.Plan((4, 6), device="emulated").make_input()
        >>> u.shape == u.numpy().shape
        True
        """
        return self.layout.box(self.comm.rank).shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each axis.

        >>> u = weft.Plan((4, 6), device="emulated").make_input()
        >>> u.strides == u.numpy().strides
        True
        """
        return tuple(stride * self.dtype.itemsize for stride in self.layout.strides(self.comm.rank))

    def numpy(self) -> np.ndarray:
        """A copy of this rank's part, on the host, behind all transforms of the plan so far.

        >>> u = weft.Plan((4, 6), device="emulated").make_input()
        >>> print(u.numpy().max())
        0j
        """
        local = empty_local(self.layout, self.comm.rank, self.dtype)
        self._plan.copy(local.ctypes.data, self.address, self._bytes)
        return local

    def copy_to_host(self) -> Array:
        """A copy on the host, behind all transforms of the plan so far.

        >>> u = weft.Plan((4, 6), device="emulated").make_input()
        >>> print(u.copy_to_host().sum())
        0j
        """
        return Array(self.numpy(), self.layout, self.comm, self.space)

    def copy_from(self, values: Any) -> None:
        """Overwrites it with a weft.Array, or with a value that NumPy broadcasts to this rank's
        part, such as a number.

        >>> u = weft.Plan((4, 6), "r2c", device="emulated").make_input()
        >>> u.copy_from(weft.ones((4, 6)))
        >>> print(u.copy_to_host().sum())
        24.0
        """
        local = empty_local(self.layout, self.comm.rank, self.dtype)
        if isinstance(values, Array):
            self.space = values.space or self.space
            values = values.local
        local[...] = values
        self._plan.copy(self.address, local.ctypes.data, self._bytes)

    @property
    def _bytes(self) -> int:
        return self.layout.allocated(self.comm.rank) * self.dtype.itemsize

    def _kind(self) -> tuple[int, int]:
        """The kind and number of the device, as DLPack counts them."""
        kind, number = self._plan.dlpack_device
        if kind == 0:
            raise Error(
                f"device={self.device}: no other library can use its memory; numpy() and "
                "copy_to_host() copy it"
            )
        return kind, number

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3. The work on the plan's stream is done before others see the array."""
        if self._plan.dlpack_device[0] != CUDA:
            raise AttributeError(f"device={self.device} is not one of CUDA")
        self._plan.synchronize()
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self.address if np.prod(self.shape) else 0, False),
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._kind()

    def __dlpack__(self, *, stream: int | None = None, **settings: Any) -> Any:
        """The work on the plan's stream is done before others see the array, on whatever stream."""
        self._kind()
        self._plan.synchronize()
        view: Any = self._plan.dlpack(self.local)
        return view.__dlpack__(**settings)

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise Error(
            f"a weft.DeviceArray lies in the memory of device={self.device}, which NumPy cannot "
            "touch; use numpy() or copy_to_host()"
        )

    __array_ufunc__ = None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a weft.DeviceArray lies in the memory of device={self.device}, and cannot be copied "
            "or pickled as an object of Python; use copy_to_host()"
        )

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.layout.shape))
        return f"<weft.DeviceArray {shape} {self.dtype} on device={self.device}, {self.layout}>"
