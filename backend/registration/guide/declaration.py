"""A guided registration as the file that `hawser_apply` takes: the same registration, kept under version control."""

from __future__ import annotations

import re
from typing import Any

import yaml

from backend.gateway.account_statements import ROLES
from backend.registration.guide.content import SideDraft, link_of, side_of
from backend.registration.guide.registering import active_side
from backend.registration.models import SIDES, RegistrationDraft


def declaration_of(draft: RegistrationDraft) -> str:
    """The YAML text. Passwords are references to the environment; what is missing is left empty."""
    link = link_of(draft)
    sides = {side: side_of(draft, side) for side in SIDES}
    content: dict[str, Any] = {
        "clusters": [cluster_section(one) for one in sides.values()],
        "links": [
            {
                "name": link.name,
                "clusters": [one.name for one in sides.values()],
                "home": sides[active_side(draft) or SIDES[0]].name,
                "channel_name": link.channel_name or "",
                "requires_approval": link.requires_approval,
                "create_probe": link.create_probe,
            }
        ],
    }
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120))


def cluster_section(content: SideDraft) -> dict[str, Any]:
    """One cluster of the file."""
    tls: dict[str, str] = {"mode": content.tls_mode}
    if content.tls_ca:
        tls["ca_file"] = f"{content.name}-ca.pem"
    prefix = re.sub(r"\W", "_", content.name).upper()
    return {
        "name": content.name,
        "site": content.site,
        "tls": tls,
        "credentials": {
            role: {"user": content.accounts[role]["user"], "password": f"env:{prefix}_{role.upper()}"} for role in ROLES
        },
        "nodes": content.nodes,
    }
