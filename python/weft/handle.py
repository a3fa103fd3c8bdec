"""Handle: a transform in flight."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NoReturn

from . import _core

if TYPE_CHECKING:
    from .plan import Plan


class Handle:
    """A transform in flight, from Plan.start_forward or start_backward. It keeps its plan and
    arrays.

    `await handle` gives the output, too: the event loop runs other tasks meanwhile.

    >>> plan = weft.Plan((4, 6), "r2c")
    >>> handle = plan.start_forward(plan.make_input())
    >>> handle.wait().shape
    (4, 4)
    """

    def __init__(self, core: _core.Handle, plan: "Plan", input: Any, output: Any) -> None:
        self._core = core
        self._kept = (plan, input)
        self._output = output

    def test(self) -> bool:
        """Does all work that needs no waiting; True once the transform has ended.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> handle = plan.start_forward(plan.make_input())
        >>> while not handle.test():
        ...     pass
        """
        return self._core.test()

    def wait(self) -> Any:
        """The output, once the transform has ended.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> plan.start_forward(plan.make_input()).wait().shape
        (4, 4)
        """
        self._core.wait()
        return self._output

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a weft.Handle is of a transform in flight, and cannot be copied or pickled"
        )

    def __await__(self) -> Generator[None, None, Any]:
        while not self.test():
            yield
        return self._output
