"""A guided registration as the file that `hawser_apply` takes: the same registration, stored under version control."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from backend.clusters.client_key import CLIENT_KEY
from backend.gateway.account_statements import ROLES
from backend.registration.guide.content import SideDraft, link_of, side_of
from backend.registration.guide.registering import active_side
from backend.registration.models import SIDES, RegistrationDraft


def declaration_of(draft: RegistrationDraft) -> str:
    """The YAML text. Passwords are in the environment, or where they stay; what is missing is left empty."""
    link = link_of(draft)
    sides = {side: side_of(draft, side) for side in SIDES}
    stored: dict[str, dict[str, str]] = {side: {} for side in SIDES}
    for one in draft.credentials.exclude(reference=None):
        stored[one.side][one.role] = str(one.reference)
    content: dict[str, Any] = {
        "clusters": [cluster_section(one, stored[side]) for side, one in sides.items()],
        "links": [
            {
                "name": link.name,
                "clusters": [one.name for one in sides.values()],
                "home": sides[active_side(draft) or SIDES[0]].name,
                "channel_name": link.channel_name or "",
                "requires_approval": link.requires_approval,
                "writes_on_both_sides": link.writes_on_both_sides,
                "create_probe": link.create_probe,
            }
        ],
    }
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120))


def cluster_section(content: SideDraft, stored: Mapping[str, str] | None = None) -> dict[str, Any]:
    """One cluster of the file; `stored` are the references of accounts whose passwords stay in a store."""
    tls: dict[str, str] = {"mode": content.tls_mode}
    if content.tls_ca:
        tls["ca_file"] = f"{content.name}-ca.pem"
    prefix = re.sub(r"\W", "_", content.name).upper()
    if content.tls_cert:
        tls["cert_file"] = f"{content.name}-client.pem"
        reference = (stored or {}).get(CLIENT_KEY)
        tls |= {"key_reference": reference} if reference else {"key": f"env:{prefix}_CLIENT_KEY"}
    return {
        "name": content.name,
        "site": content.site,
        "tls": tls,
        "credentials": {
            role: {"user": content.accounts[role]["user"], **_password(prefix, role, stored or {})} for role in ROLES
        },
        "nodes": content.nodes,
    }


def _password(prefix: str, role: str, stored: Mapping[str, str]) -> dict[str, str]:
    return {"reference": stored[role]} if role in stored else {"password": f"env:{prefix}_{role.upper()}"}
