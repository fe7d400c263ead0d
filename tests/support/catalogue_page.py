"""What catalogues of codes have in common: what each entry states."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol


class Entry(Protocol):
    """What the entries of all catalogues have in common."""

    @property
    def code(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def what_happened(self) -> str: ...
    @property
    def what_it_means(self) -> str: ...
    @property
    def what_to_do(self) -> str: ...


def assert_complete(entries: Collection[Entry]) -> None:
    """Each code once, with a title that is no sentence and texts that are."""
    codes = [entry.code for entry in entries]
    assert len(codes) == len(set(codes))
    for entry in entries:
        assert entry.title, entry.code
        assert not entry.title.endswith("."), entry.code
        for text in (entry.what_happened, entry.what_it_means, entry.what_to_do):
            assert text.endswith("."), entry.code
