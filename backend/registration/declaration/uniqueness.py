"""What stands in a file twice: names, addresses, pairs of clusters; and a link that does not join two clusters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from backend.registration.declaration.difference import Fault

Given = Mapping[str, Any]


def repetitions(given: Given) -> Iterator[Fault]:
    """The faults, each at the later place."""
    clusters, links = given["clusters"], given["links"]
    yield from _twice(
        ((f"clusters[{i}].name", cluster["name"]) for i, cluster in enumerate(clusters)),
        "{first} has this name already. Give each cluster its own name.",
    )
    for i, cluster in enumerate(clusters):
        yield from _twice(
            ((f"clusters[{i}].nodes[{j}].name", node["name"]) for j, node in enumerate(cluster["nodes"])),
            "{first} has this name already. Give each node its own name.",
        )
    yield from _twice(
        (
            (f"clusters[{i}].nodes[{j}].host", (node["host"].lower(), node["port"]))
            for i, cluster in enumerate(clusters)
            for j, node in enumerate(cluster["nodes"])
        ),
        "{first} has this address already. A node belongs to one cluster; list it once.",
    )
    yield from _twice(
        ((f"links[{i}].name", link["name"]) for i, link in enumerate(links)),
        "{first} has this name already. Give each link its own name.",
    )
    yield from _twice(
        ((f"links[{i}].clusters", frozenset(link["clusters"])) for i, link in enumerate(links)),
        "{first} joins the same clusters. Declare one link for them.",
    )
    yield from _sides(links)


def _sides(links: Iterable[Given]) -> Iterator[Fault]:
    for i, link in enumerate(links):
        if len(set(link["clusters"])) == 1:
            yield Fault(f"links[{i}].clusters", "Both sides are the same cluster. Name two different clusters.")
        if link["home"] not in link["clusters"]:
            names = " or ".join(link["clusters"])
            yield Fault(f"links[{i}].home", f"This is not a cluster of the link. Name one of its two: {names}.")


def _twice(placed: Iterable[tuple[str, Hashable]], message: str) -> Iterator[Fault]:
    first: dict[Hashable, str] = {}
    for path, value in placed:
        if value in first:
            yield Fault(path, message.format(first=first[value].rpartition(".")[0]))
        first.setdefault(value, path)
