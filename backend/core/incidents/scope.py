"""Which links a lost site or node touches, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from backend.core.plural import pick


class ScopeKind(StrEnum):
    """What was lost, or that an operator chose the links."""

    SITE = "site"
    NODE = "node"
    LINKS = "links"


class LinkRole(StrEnum):
    """Which side of a link is touched."""

    ACTIVE = "active"
    STANDBY = "standby"
    BOTH = "both"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class SideNode:
    """A node of a side; nodes of several clusters can stand on one host."""

    id: str
    name: str
    host: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a link as registered."""

    name: str
    site: str
    nodes: tuple[SideNode, ...]


@dataclass(frozen=True, slots=True)
class LinkSides:
    """Both sides of a link."""

    link_id: str
    active: Side
    standby: Side


@dataclass(frozen=True, slots=True)
class Touched:
    """A touched link, which side of it, and the reason in a sentence."""

    link_id: str
    role: LinkRole
    why: str


def touched_by_site(links: Iterable[LinkSides], site: str) -> Iterator[Touched]:
    """Links with a cluster at the site; a cluster names its site when it is registered."""
    for link in links:
        hit = [(role, side) for role, side in _sides(link) if side.site == site]
        if hit:
            names = " and ".join(side.name for _, side in hit)
            verb = pick(len(hit), "is", "are")
            yield Touched(link.link_id, _role(hit), f"{_sides_text(hit)} {names} {verb} at {site}.")


def touched_by_node(links: Iterable[LinkSides], node: SideNode) -> Iterator[Touched]:
    """Links with a node on the same host: all of them are lost with it, in whichever cluster they are."""
    for link in links:
        hit = [(role, side, _on_host(side, node.host)) for role, side in _sides(link)]
        found = [(role, side) for role, side, nodes in hit if nodes]
        if found:
            names = " and ".join(name for _, _, nodes in hit for name in nodes)
            verb = pick(sum(len(nodes) for _, _, nodes in hit), "is", "are")
            sides = " and ".join(side.name for _, side in found)
            yield Touched(link.link_id, _role(found), f"{names} of {sides} {verb} on {node.host}.")


def _sides(link: LinkSides) -> tuple[tuple[LinkRole, Side], ...]:
    return (LinkRole.ACTIVE, link.active), (LinkRole.STANDBY, link.standby)


def _on_host(side: Side, host: str) -> list[str]:
    return [node.name for node in side.nodes if node.host == host]


def _role(hit: list[tuple[LinkRole, Side]]) -> LinkRole:
    return LinkRole.BOTH if len(hit) > 1 else hit[0][0]


def _sides_text(hit: list[tuple[LinkRole, Side]]) -> str:
    return "Both sides" if len(hit) > 1 else f"The {hit[0][0].value} side"
