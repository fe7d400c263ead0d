"""Joins what several packages know of a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backend.automation.selectors import returned_view
from backend.clusters.models import Link
from backend.monitoring.selectors import link_view
from backend.rehearsals.selectors import with_rehearsals
from backend.runs.selectors import unfinished_run


def link_shown(link: Link) -> dict[str, Any]:
    """A link with its current state, its unfinished run and the results of its last rehearsals."""
    return _shown(link, detailed=False)


def link_detail(link: Link) -> dict[str, Any]:
    """The same with both clusters in full."""
    return _shown(link, detailed=True)


def page_of(shown: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """All items as one page."""
    return {"results": list(shown), "next": None}


def _shown(link: Link, *, detailed: bool) -> dict[str, Any]:
    shown = link_view(link, active_run=unfinished_run(link.id), detailed=detailed)
    if shown["divergence"] is not None:
        shown["divergence"]["returned"] = returned_view(link)
    return shown | {"readiness": with_rehearsals(shown["readiness"], link.id)}
