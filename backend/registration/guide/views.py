"""What a guided registration shows: what was typed, what was found, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from backend.core.discovery.members import members
from backend.core.discovery.servers import DiscoveredServer
from backend.core.discovery.settings import pair_changes, setting_changes
from backend.core.discovery.tls import MODES, PROTECTS, tls_choice
from backend.gateway.account_statements import ROLES, own_statements
from backend.registration.guide.accounts import digest_of, runs_events, statements_of
from backend.registration.guide.client_certificate import certificates_view, reference_of
from backend.registration.guide.content import SideDraft, link_of, side_of, title_of
from backend.registration.guide.declaration import declaration_of
from backend.registration.guide.endpoints import digest_of_endpoints
from backend.registration.guide.registering import found_link, points_of, suggested_active
from backend.registration.models import SIDES, RegistrationDraft

SHOWN_PASSWORD = "***"  # noqa: S105 - a mask


def draft_view(draft: RegistrationDraft) -> dict[str, Any]:
    """The whole draft; no password is in it."""
    sides = {side: side_of(draft, side) for side in SIDES}
    first, second = (one.discovered() or [] for one in sides.values())
    return {
        **brief_view(draft),
        **{side: _side(draft, side, content) for side, content in sides.items()},
        "link": {
            **asdict(link_of(draft)),
            "suggested_active": suggested_active(draft),
            "found": found_link(draft),
            "settings": pair_changes(first, second),
        },
        "endpoints_digest": digest_of_endpoints(draft),
        "open_points": [asdict(one) for one in points_of(draft)],
        "declaration": declaration_of(draft),
    }


def brief_view(draft: RegistrationDraft) -> dict[str, Any]:
    """One line of the list."""
    return {
        "id": draft.pk,
        "owner": draft.owner,
        "title": title_of(draft),
        "link_id": draft.link_id or None,
        "created_at": draft.created_at,
        "updated_at": draft.updated_at,
        "expires_at": draft.expires_at,
    }


def _side(draft: RegistrationDraft, side: str, content: SideDraft) -> dict[str, Any]:
    servers = content.discovered()
    return {
        "name": content.name,
        "site": content.site,
        "host": content.host,
        "port": content.port,
        "administrator": content.administrator,
        "nodes": content.nodes,
        "tls": _tls(draft, side, content),
        "accounts": {role: content.accounts[role] for role in ROLES},
        "statements": _statements(content),
        "discovered": None if servers is None else _discovered(content, servers),
        "checked": None if content.findings is None else {"at": content.checked_at, "findings": content.findings},
        "cluster_id": getattr(draft, f"{side}_cluster_id") or None,
    }


def _tls(draft: RegistrationDraft, side: str, content: SideDraft) -> dict[str, Any]:
    return {
        "mode": content.tls_mode,
        "ca": content.tls_ca,
        "cert": content.tls_cert,
        "key_reference": reference_of(draft, side),
        "certificates": certificates_view(content),
    }


def _statements(content: SideDraft) -> dict[str, Any]:
    """What would be sent, with each outcome once it was; and the same for a person who runs it."""
    done = {one["sql"]: one for one in content.outcomes}
    statements = statements_of(content)
    return {
        "state": content.stored,
        "node": f"{content.host}:{content.port}" if content.host else "",
        "digest": digest_of(content),
        "statements": [
            {
                "role": one.role,
                "sql": _masked(one.sql),
                "purpose": one.purpose,
                "result": done.get(one.sql, {}).get("result", ""),
                "error": done.get(one.sql, {}).get("error", ""),
            }
            for one in statements
        ],
        "own": list(own_statements(content.names(), runs_events=runs_events(content))) if statements else [],
    }


def _masked(sql: str) -> str:
    """The password's place in a statement is a mark; it is shown as what it hides."""
    for role in ROLES:
        sql = sql.replace(f"{{{{secret:{role}}}}}", SHOWN_PASSWORD)
    return sql


def _discovered(content: SideDraft, servers: Sequence[DiscoveredServer]) -> dict[str, Any]:
    choice = tls_choice(servers)
    return {
        "at": content.discovered_at,
        "may_create": content.may_create,
        "members": [{**asdict(one), "is_connected": one.is_connected} for one in members(servers)],
        "tls": {
            **asdict(choice),
            "modes": [_mode(mode, servers) for mode in MODES],
        },
        "settings": setting_changes(servers),
    }


def _mode(mode: str, servers: Sequence[DiscoveredServer]) -> dict[str, Any]:
    """Whether a mode works on all servers that were logged in to; null while one was not tried."""
    trials = [trial for server in servers for trial in server.tls if trial.mode == mode]
    works = None if not trials or any(one.works is None for one in trials) else all(one.works for one in trials)
    reasons = dict.fromkeys(one.reason for one in trials if one.reason)
    return {"mode": mode, "works": works, "reason": "; ".join(reasons), "protects": PROTECTS[mode]}
