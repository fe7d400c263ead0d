"""Which functions of the product a function can call, found in its code without running it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from celery.app.task import Task
from celery.local import PromiseProxy


def way_to(start: Any, ends: Iterable[Any], *, past: Iterable[Any] = ()) -> list[str]:
    """The names on the shortest way from a function to one of the ends that leads past others; empty if none is found.

    A name counts as called where it is only mentioned, and of a class all methods: rather a way too many than one less.
    """
    goals, seen = {id(_plain(end)) for end in ends}, {id(_plain(one)) for one in (start, *past)}
    ways = [(_plain(start), [_name(start)])]
    for reached, names in ways:
        if id(reached) in goals:
            return names
        for following in _mentioned(reached):
            if id(following) not in seen:
                seen.add(id(following))
                ways.append((following, [*names, _name(following)]))
    return []


def reached_from(start: Any) -> set[str]:
    """The names of all functions that it can call, by the same rule."""
    seen, waiting = {id(_plain(start))}, [_plain(start)]
    names: set[str] = set()
    while waiting:
        reached = waiting.pop()
        names.add(_name(reached))
        for following in _mentioned(reached):
            if id(following) not in seen:
                seen.add(id(following))
                waiting.append(following)
    return names


def _plain(found: Any) -> Any:
    return inspect.unwrap(found) if callable(found) and not isinstance(found, type) else found


def _name(found: Any) -> str:
    return f"{found.__module__}.{found.__qualname__}"


@cache
def _mentioned(found: Any) -> tuple[Any, ...]:
    return tuple(_all_mentioned(found))


def _all_mentioned(found: Any) -> Iterator[Any]:
    if isinstance(found, type):
        for member in vars(found).values():
            yield from _own(getattr(member, "__func__", getattr(member, "fget", member)))
    elif isinstance(found, FunctionType):
        for code in _codes(found.__code__):
            yield from _of_code(code, found.__globals__)


def _of_code(code: CodeType, scope: dict[str, Any]) -> Iterator[Any]:
    for name in code.co_names:
        found = scope.get(name, sys.modules.get(name))
        if isinstance(found, ModuleType) and found.__name__.startswith("backend."):
            for member in code.co_names:
                yield from _own(getattr(found, member, None))
        else:
            yield from _own(found)


def _own(found: Any) -> Iterator[Any]:
    """What is a function or class of the product; a task is sent to another process."""
    if isinstance(found, Task | PromiseProxy):
        return
    plain = _plain(found)
    if isinstance(plain, FunctionType | type) and str(plain.__module__).startswith("backend."):
        yield plain


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
