"""What keeps two clusters from being registered, and what may stay open although it should not.

Only what was observed counts: a step that was not done, and an unknown finding, are open points like a wrong value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.core.discovery.channels import LinkFound
from backend.core.discovery.members import members
from backend.core.discovery.servers import DiscoveredServer
from backend.core.discovery.settings import SettingChange, setting_changes
from backend.core.findings import Finding, Severity

ACCESS_CODES = ("connection", "login", "grants", "grants_missing", "grants_unknown", "account_not_usable")
"""Findings that must be fixed: with them a cluster cannot be observed at all."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """One thing that is not as needed. `must`: the registration is refused until it is fixed."""

    code: str
    side: str
    sentence: str
    remedy: str
    must: bool


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """How far one cluster is. `servers` None: never discovered; `findings` None: never checked with its accounts."""

    side: str
    name: str
    site: str
    nodes: int
    tls_mode: str
    servers: Sequence[DiscoveredServer] | None
    has_accounts: bool
    findings: Sequence[Finding] | None

    @property
    def shown(self) -> str:
        """Its name, or which one it is."""
        return self.name or f"The {self.side} cluster"


def open_points(
    first: SideOutcome, second: SideOutcome, link_name: str, found: LinkFound, *, has_active: bool
) -> tuple[OpenPoint, ...]:
    """Those that refuse come first, in the order of the steps. `has_active`: it is known where applications write."""
    points = [*_side(first), *_side(second), *_pair(first, second), *_link(link_name, found, has_active=has_active)]
    return tuple(sorted(points, key=lambda point: not point.must))


def setting_points(side: str, changes: Sequence[SettingChange]) -> Iterator[OpenPoint]:
    """Settings that are unknown or that Hawser cannot work without; a recommendation is none."""
    for one in changes:
        if one.severity in (Severity.UNKNOWN, Severity.BLOCKER):
            value = "unknown" if one.current is None else one.current
            sentence = f"{one.node}: {one.variable} is {value}, needed: {one.needed}."
            remedy = one.statement or one.obstacle
            yield OpenPoint("setting", side, sentence, remedy, must=False)


def _side(one: SideOutcome) -> Iterator[OpenPoint]:
    if not one.name or not one.site:
        yield _must("name", one, f"{one.shown} has no name or no site.", "Enter both.")
    if one.servers is None:
        yield _must("discover", one, f"{one.shown} was not discovered.", "Connect to one of its nodes.")
        return
    if not one.tls_mode:
        yield _must("tls", one, f"No TLS mode is chosen for {one.shown}.", "Choose the strictest that works.")
    yield from _members(one)
    yield from setting_points(one.side, setting_changes(one.servers))
    if not one.has_accounts:
        yield _must("accounts", one, f"{one.shown} has no accounts.", "Create the three accounts, or enter yours.")
    elif one.findings is None:
        yield _must("check", one, f"The accounts of {one.shown} were not checked.", "Check the cluster.")
    else:
        yield from _findings(one)


def _members(one: SideOutcome) -> Iterator[OpenPoint]:
    found = members(one.servers or ())
    if not any(member.is_connected for member in found):
        yield _must("members", one, f"No member of {one.shown} is connected.", "Correct the addresses.")
    for member in found:
        if member.state in ("other_cluster", "no_cluster"):
            yield _must("members", one, member.sentence, "Remove it from the list.")
        elif not member.is_connected:
            remedy = "A node that is not registered cannot be looked at, nor fenced in a failover."
            yield OpenPoint("members", one.side, member.sentence, remedy, must=False)
    if one.nodes < sum(member.is_connected for member in found):
        sentence = f"{one.shown} has members that are not in its list of nodes."
        yield OpenPoint("members", one.side, sentence, "Add all members to the list.", must=False)


def _findings(one: SideOutcome) -> Iterator[OpenPoint]:
    for finding in one.findings or ():
        if finding.code.startswith("setting_"):
            continue  # `setting_points` tells them, from the same poll
        is_access = finding.code in ACCESS_CODES
        if finding.refuses or finding.code == "grants_excess":
            yield OpenPoint(finding.code, one.side, finding.message, finding.remedy, must=is_access and finding.refuses)


def _pair(first: SideOutcome, second: SideOutcome) -> Iterator[OpenPoint]:
    uuids = [{server.state_uuid for server in one.servers or () if server.state_uuid} for one in (first, second)]
    if uuids[0] & uuids[1]:
        sentence = "Both sides are the same cluster: they report one state UUID."
        yield OpenPoint("same_cluster", "link", sentence, "Name a node of the other cluster.", must=True)
    if first.name and first.name == second.name:
        yield OpenPoint("name", "link", "Both clusters have one name.", "Give each its own name.", must=True)


def _link(name: str, found: LinkFound, *, has_active: bool) -> Iterator[OpenPoint]:
    if not name:
        yield OpenPoint("link_name", "link", "The link has no name.", "Enter a name.", must=True)
    if not has_active:
        sentence = "It is unknown where applications write."
        yield OpenPoint("active", "link", sentence, "Choose the active side.", must=True)
    if found.state != "linked" or found.channel_name is None:
        remedy = (
            "Register now. The last step offers a plan that creates both channels."
            if found.state == "not_linked"
            else "Set the channels up, or register now: the link then shows what is missing."
        )
        yield OpenPoint("channels", "link", found.sentence, remedy, must=False)


def _must(code: str, one: SideOutcome, sentence: str, remedy: str) -> OpenPoint:
    return OpenPoint(code, one.side, sentence, remedy, must=True)
