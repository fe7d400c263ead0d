"""Joins what several packages know of a link."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

from backend.clusters.models import Link
from backend.clusters.serializers.clusters import FindingSerializer
from backend.clusters.serializers.links import LinkSerializer
from backend.common.privileges import Privileges
from backend.common.rest.representation import representation_by
from backend.common.rest.views import render_json
from backend.common.roles import PERSONAL
from backend.monitoring.selectors import Findings, link_view, link_views
from backend.operations.automation.selectors import returned_view, returned_views
from backend.operations.rehearsals.selectors import Result, latest_by_kind, latest_of_links, with_rehearsals
from backend.operations.runs.selectors import unfinished_run, unfinished_runs


def links_shown(
    links: Collection[Link], privileges: Privileges, *, findings: Findings = Findings.SHOWN
) -> list[dict[str, Any]]:
    """Links with their current state, unfinished run, last rehearsals, and what the caller may do on each.

    The number of queries does not grow with the links.
    """
    shown = link_views(links, unfinished_runs(), findings=findings)
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


def link_page(links: Collection[Link], privileges: Privileges) -> bytes:
    """All links as one page, the JSON of `LinkPageSerializer`.

    The findings of a link are most of its text and seldom change: what was made of a stored text is used again for it.
    """
    shown = links_shown(links, privileges, findings=Findings.AS_TEXT)
    return b'{"results":[' + b",".join(map(_rendered, shown)) + b'],"next":null}'


def _rendered(shown: dict[str, Any]) -> bytes:
    findings = shown["findings"]
    if not isinstance(findings, str):
        return render_json(LinkSerializer, shown)
    rest = representation_by(LinkSerializer)(shown | {"findings": []})
    del rest["findings"]
    return render_json(None, rest)[:-1] + b',"findings":' + _rendered_findings(findings) + b"}"


@lru_cache(maxsize=1_000)
def _rendered_findings(stored: str) -> bytes:
    return render_json(None, [representation_by(FindingSerializer)(one) for one in json.loads(stored)])


def _joined(
    shown: dict[str, Any],
    latest: Mapping[str, Result],
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
