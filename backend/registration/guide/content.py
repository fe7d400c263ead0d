"""What a guided registration holds of each cluster and of the link, as typed values over JSON columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from backend.core.discovery.servers import DiscoveredServer
from backend.core.findings import Finding
from backend.gateway.account_statements import ROLES, AccountName
from backend.registration.models import SIDES, RegistrationDraft

USERS = {"monitor": "hawser_monitor", "operator": "hawser_operator", "replication": "hawser_repl"}
ANY_HOST = "%"


def _accounts() -> dict[str, dict[str, str]]:
    return {role: {"user": USERS[role], "host": ""} for role in ROLES}


@dataclass(slots=True)
class SideDraft:
    """One cluster. `servers` and `findings` None: never discovered, never checked.

    `stored` says where the accounts came from: `created` or `entered`; empty while there are none. `may_share`: their
    passwords were generated, and neither cluster was led elsewhere since.
    """

    name: str = ""
    site: str = ""
    host: str = ""
    port: int = 3306
    administrator: str = ""
    nodes: list[dict[str, Any]] = field(default_factory=list)
    tls_mode: str = ""
    tls_ca: str = ""
    tls_cert: str = ""
    accounts: dict[str, dict[str, str]] = field(default_factory=_accounts)
    servers: list[dict[str, Any]] | None = None
    discovered_at: str | None = None
    may_create: bool | None = None
    outcomes: list[dict[str, str]] = field(default_factory=list)
    stored: str = ""
    may_share: bool = False
    findings: list[dict[str, Any]] | None = None
    checked_at: str | None = None

    def discovered(self) -> list[DiscoveredServer] | None:
        """The servers that were read, and those in the list of nodes that were not."""
        if self.servers is None:
            return None
        read = [DiscoveredServer.from_json(one) for one in self.servers]
        untried = (node for node in self.nodes if not any(one.is_at(node["host"], node["port"]) for one in read))
        error = "it was not connected to yet"
        return read + [
            DiscoveredServer(node["host"], node["port"], "unknown", error=error, name=node["name"]) for node in untried
        ]

    def checked(self) -> list[Finding] | None:
        """The findings of the last check."""
        return None if self.findings is None else [Finding.from_json(one) for one in self.findings]

    def names(self) -> dict[str, AccountName]:
        """The accounts as SQL names them."""
        return {role: AccountName(one["user"], one["host"] or ANY_HOST) for role, one in self.accounts.items()}

    def forget_check(self) -> None:
        """What was checked is not what would be registered now."""
        self.findings, self.checked_at = None, None


@dataclass(slots=True)
class LinkDraft:
    """The link. `channel_name` None: the one that both channels have."""

    name: str = ""
    active: str = ""
    channel_name: str | None = None
    create_probe: bool = True
    requires_approval: bool = False
    writes_on_both_sides: bool = False


def side_of(draft: RegistrationDraft, side: str) -> SideDraft:
    """One cluster of the draft."""
    data: Mapping[str, Any] = getattr(draft, side)
    return SideDraft(**data)


def link_of(draft: RegistrationDraft) -> LinkDraft:
    """The link of the draft."""
    return LinkDraft(**draft.link)


def title_of(draft: RegistrationDraft) -> str:
    """The link's name, or what else tells one draft from another."""
    names = [side_of(draft, side).name for side in SIDES]
    return link_of(draft).name or " and ".join(name for name in names if name) or "a new link"


def as_json(content: SideDraft | LinkDraft) -> dict[str, Any]:
    """The content of a column."""
    return asdict(content)
