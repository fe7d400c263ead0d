"""Copies of what takes long to build: it is built once, and each caller has a copy of its own to change."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from io import BytesIO
from typing import Any, Generic, TypeVar

from backend.core.binlog.events import LogEvent

T = TypeVar("T")


def copied(build: Callable[[], T]) -> Callable[[], T]:
    """The same function, which always gives the same, called once: what it gives is copied for each caller."""

    @cache
    def original() -> _Original[T]:
        return _Original(build())

    return lambda: original().copy()


class _Original(Generic[T]):
    """Pickled, as a world has thousands of values; copies share those that are frozen."""

    def __init__(self, value: T) -> None:
        self._frozen: list[object] = []
        file = BytesIO()
        _Pickler(file, self._frozen).dump(value)
        self._pickled = file.getvalue()

    def copy(self) -> T:
        return _Unpickler(self._pickled, self._frozen).load()  # type: ignore[no-any-return]


class _Pickler(pickle.Pickler):
    def __init__(self, file: BytesIO, frozen: list[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._frozen = frozen
        self._places: dict[int, int] = {}

    def persistent_id(self, value: Any) -> int | None:
        if not _is_frozen(value):
            return None
        if id(value) not in self._places:
            self._places[id(value)] = len(self._frozen)
            self._frozen.append(value)
        return self._places[id(value)]


class _Unpickler(pickle.Unpickler):
    def __init__(self, pickled: bytes, frozen: list[object]) -> None:
        super().__init__(BytesIO(pickled))
        self._frozen = frozen

    def persistent_load(self, place: int) -> object:
        return self._frozen[place]


def _is_frozen(value: object) -> bool:
    if is_dataclass(value) and not isinstance(value, type):
        return bool(value.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    return isinstance(value, LogEvent | Enum)
