"""Splits a stream into batches that are processed one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def in_batches(items: Iterable[Item], size: int, stands_alone: Callable[[Item], bool]) -> Iterator[list[Item]]:
    """Lists of up to `size` items; an item that must be alone is a list of its own.

    A list is yielded before the next item is read; only an item that must be alone was read already, and none after it.
    """
    batch: list[Item] = []
    for item in items:
        if stands_alone(item):
            if batch:
                yield batch
            yield [item]
            batch = []
            continue
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
