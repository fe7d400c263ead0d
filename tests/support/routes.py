"""Every route of the URL map with its view, so that a forgotten one is tested, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

from backend.common.rest.views import ConsoleView
from tests.support.access_table import address_in_table

OUTSIDE_THE_TABLE = {"schema", "docs", "page", "service-worker", None}
"""Routes without a role table: descriptions of the API, the page, and its service worker."""


@dataclass(frozen=True, slots=True)
class Route:
    """A path of the URL map and what answers there."""

    path: str
    name: str | None
    view: type[ConsoleView]

    @property
    def address(self) -> str:
        """The path with ids of nothing that exists."""
        return "/" + re.sub(r"<str:\w+>", "r_aaaaaaaaaaaa", self.path)

    @property
    def address_in_table(self) -> str:
        """The path as `access_table.txt` has it."""
        return address_in_table(self.path)


def tabled_routes() -> list[Route]:
    """Those whose callers the role table decides on."""
    found = []
    for path, entry in _patterns(get_resolver().url_patterns):
        if entry.name not in OUTSIDE_THE_TABLE:
            view = getattr(entry.callback, "view_class", None) or getattr(entry.callback, "cls", None)
            assert view is not None, path
            found.append(Route(path, entry.name, view))
    return found


def _patterns(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _patterns(entry.url_patterns, path)
        else:
            yield path, entry
