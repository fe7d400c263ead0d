"""Joins what several packages know of a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backend.automation.selectors import returned_view
from backend.clusters.models import Link
from backend.common.privileges import Privileges
from backend.common.roles import PERSONAL
from backend.monitoring.selectors import link_view
from backend.rehearsals.selectors import with_rehearsals
from backend.runs.selectors import unfinished_run


def link_shown(link: Link, privileges: Privileges) -> dict[str, Any]:
    """A link with its current state, its unfinished run, its last rehearsals, and what the caller may do on it."""
    return _shown(link, privileges, detailed=False)


def link_detail(link: Link, privileges: Privileges) -> dict[str, Any]:
    """The same with both clusters in full."""
    return _shown(link, privileges, detailed=True)


def page_of(shown: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """All items as one page."""
    return {"results": list(shown), "next": None}


def _shown(link: Link, privileges: Privileges, *, detailed: bool) -> dict[str, Any]:
    shown = link_view(link, active_run=unfinished_run(link.id), detailed=detailed)
    if shown["divergence"] is not None:
        shown["divergence"]["returned"] = returned_view(link)
    return shown | {
        "readiness": with_rehearsals(shown["readiness"], link.id),
        "permissions": permissions_on_link(privileges, link.id),
    }


def permissions_on_link(privileges: Privileges, link_id: str) -> list[str]:
    """What the caller may do on the link, for its representation."""
    return sorted(privileges.on_link(link_id) - PERSONAL)
