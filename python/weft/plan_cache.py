"""Plans that calls of the array interface share: the most recently used ones of each communicator,
with which they go."""

import atexit
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from mpi4py import MPI

from ._core import Layout
from .plan import Plan
from .transform import Transform

LIMIT = 32  # plans for each communicator

_Cache = OrderedDict[Hashable, Plan]
_caches: list[_Cache] = []


def _forget(comm: MPI.Comm, keyval: int, cache: Any) -> None:
    cache.clear()
    _caches[:] = [other for other in _caches if other is not cache]


_keyval = MPI.Comm.Create_keyval(delete_fn=_forget)


@atexit.register
def clear() -> None:
    """Drops all plans. Later calls make new ones."""
    for cache in _caches:
        cache.clear()


def _cache_of(comm: MPI.Intracomm) -> _Cache:
    cache: Any = comm.Get_attr(_keyval)
    if cache is None:
        cache = OrderedDict()
        _caches.append(cache)
        comm.Set_attr(_keyval, cache)
    return cache


def cached(comm: MPI.Intracomm, key: Hashable, make: Callable[[], Plan]) -> Plan:
    """The plan with that key; made on its first use. Collective: all ranks keep the same plans, so
    the key must be equal on all ranks or on none."""
    cache: Any = comm.Get_attr(_keyval)
    if cache is None or key not in cache:
        # The last attribute of a communicator goes first. The one that frees what a plan holds is
        # set as a plan is made; this one must come after, to have dropped its plans by then.
        plan = make()
        cache = _cache_of(comm)
        cache[key] = plan
        if len(cache) > LIMIT:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return cache[key]


def cached_plan(
    comm: MPI.Intracomm,
    transform: Transform,
    input: Layout | None,
    output: Layout | None,
    options: str = "",
) -> Plan:
    """The plan with these arguments. Its calls are checked on all ranks. Layouts must have no gaps,
    since equal strides on one rank may be different ones on another."""
    options = f"check_calls=1 {options}"

    def make() -> Plan:
        plan = Plan(transform, comm=comm, input=input, output=output, options=options)
        # The way back asks for the same plan by the layout that the planner has chosen.
        return cached(
            comm, (transform, plan.input_layout, plan.output_layout, options), lambda: plan
        )

    return cached(comm, (transform, input, output, options), make)
