"""Joins what several packages know of a link."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from backend.automation.selectors import returned_view, returned_views
from backend.clusters.models import Link
from backend.common.privileges import Privileges
from backend.common.roles import PERSONAL
from backend.monitoring.selectors import link_view, link_views
from backend.rehearsals.models import Rehearsal
from backend.rehearsals.selectors import latest_by_kind, latest_of_links, with_rehearsals
from backend.runs.selectors import unfinished_run, unfinished_runs


def links_shown(links: Collection[Link], privileges: Privileges) -> list[dict[str, Any]]:
    """Links with their current state, unfinished run, last rehearsals, and what the caller may do on each.

    The number of queries does not grow with the links.
    """
    shown = link_views(links, unfinished_runs())
    ids = [one["id"] for one in shown]
    latest, returned = latest_of_links(ids), returned_views(ids)
    return [_joined(one, latest.get(one["id"], {}), returned.get(one["id"]), privileges) for one in shown]


def link_detail(link: Link, privileges: Privileges) -> dict[str, Any]:
    """The same of one link, with both clusters in full."""
    shown = link_view(link, active_run=unfinished_run(link.id), detailed=True)
    return _joined(shown, latest_by_kind(link.id), returned_view(link), privileges)


def page_of(shown: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """All items as one page."""
    return {"results": list(shown), "next": None}


def _joined(
    shown: dict[str, Any],
    latest: Mapping[str, Rehearsal],
    returned: dict[str, Any] | None,
    privileges: Privileges,
) -> dict[str, Any]:
    if shown["divergence"] is not None:
        shown["divergence"]["returned"] = returned
    return shown | {
        "readiness": with_rehearsals(shown["readiness"], latest),
        "permissions": permissions_on_link(privileges, shown["id"]),
    }


def permissions_on_link(privileges: Privileges, link_id: str) -> list[str]:
    """What the caller may do on the link, for its representation."""
    return sorted(privileges.on_link(link_id) - PERSONAL)
