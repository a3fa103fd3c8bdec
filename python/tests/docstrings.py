"""Docstrings of public names, and their examples, which must give what they say on any number of
ranks."""

import contextlib
import doctest
import functools
import importlib
import inspect
import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft
from mpi4py import MPI


def is_own(value: Any) -> bool:
    """Whether the package defines the function or class, in Python."""
    module = getattr(value, "__module__", None) or ""
    own = f"{module}.".startswith("weft.") and module != "weft._core"
    return own and value is not weft.Error


def public_members(kind: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties of a class that the package documents."""
    for name in dir(kind):
        member = inspect.getattr_static(kind, name)
        member = getattr(member, "__func__", member)  # of class methods
        if not isinstance(member, property | functools.cached_property) and not inspect.isroutine(
            member
        ):
            continue
        source = getattr(member, "fget", None) or getattr(member, "func", member)
        if not name.startswith("_") and is_own(source):
            yield f"{kind.__name__}.{name}", member


def public_objects(module: Any) -> Iterator[tuple[str, Any]]:
    """The module and what it makes public: the names of __all__, else those that it defines."""
    yield module.__name__, module
    names = getattr(module, "__all__", None)
    for name in names or [name for name in vars(module) if not name.startswith("_")]:
        value = getattr(module, name)
        if inspect.ismodule(value) or not is_own(value) or not callable(value):
            continue
        if names or value.__module__.startswith(module.__name__):
            yield f"{module.__name__}.{name}", value
            if inspect.isclass(value):
                for member, one in public_members(value):
                    yield f"{module.__name__}.{member}", one


def documented(modules: list[str]) -> dict[str, str]:
    """The docstrings of all public objects of modules, by the first of their names."""
    found: dict[int, tuple[str, str]] = {}
    for module in modules:
        for label, value in public_objects(importlib.import_module(module)):
            found.setdefault(id(value), (label, inspect.getdoc(value) or ""))
    return dict(found.values())


def run_examples(name: str, docstring: str, **others: Any) -> None:
    """Those of one docstring; there must be one. others: further names that it may use."""
    names = {"weft": weft, "np": np, "MPI": MPI, **others}
    example = doctest.DocTestParser().get_doctest(docstring, names, name, None, None)
    assert example.examples, f"{name} has no example"
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        result = doctest.DocTestRunner().run(example, out=told.write)
    assert not result.failed, told.getvalue()
