"""What a rank has recorded of its own actions in transforms."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """An action of a rank from `begin` to `end`, in seconds of its own clock; docs/tracing.md
    explains the actions.

    >>> plan = weft.Plan((4, 6), "r2c")
    >>> plan.record()
    >>> spectrum = plan.forward(plan.make_input())
    >>> all(span.begin <= span.end for span in plan.trace().spans)
    True
    """

    what: str
    name: str
    begin: float
    end: float
    stage: int
    k: int
    j: int
    field: int
    waited: bool
    by_progress_thread: bool


@dataclass(frozen=True)
class Trace:
    """The spans that a rank recorded, and how many were lost because the memory for them was
    full.

    >>> plan = weft.Plan((4, 6), "r2c")
    >>> plan.record()
    >>> spectrum = plan.forward(plan.make_input())
    >>> plan.trace().dropped
    0
    """

    spans: list[Span]
    dropped: int
