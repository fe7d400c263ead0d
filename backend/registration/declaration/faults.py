"""What of a file no change of a registration can reach: found before the first change, so that nothing is half-done."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.connection_names import is_same_name
from backend.registration.declaration.difference import Fault
from backend.registration.declaration.state import LinkState, RegistrationState


def faults(stored: RegistrationState, declared: RegistrationState) -> tuple[Fault, ...]:
    """Addresses that another cluster has, unknown clusters, and links that cannot become as declared."""
    return (*_addresses(stored, declared), *_links(stored, declared))


def _addresses(stored: RegistrationState, declared: RegistrationState) -> Iterator[Fault]:
    owners = {node.address: (cluster.name, node.name) for cluster in stored.clusters for node in cluster.nodes}
    for index, cluster in enumerate(declared.clusters):
        for number, node in enumerate(cluster.nodes):
            owner, name = owners.get(node.address, (cluster.name, ""))
            if owner != cluster.name:
                yield Fault(
                    f"clusters[{index}].nodes[{number}].host",
                    f"{node.host}:{node.port} is registered as {name} of {owner}. Remove it there first, or name "
                    "another address.",
                )


def _links(stored: RegistrationState, declared: RegistrationState) -> Iterator[Fault]:
    known = {cluster.name for cluster in (*stored.clusters, *declared.clusters)}
    for index, link in enumerate(declared.links):
        path = f"links[{index}]"
        unknown = sorted(link.clusters - known)
        if unknown:
            message = f"{', '.join(unknown)} is neither in the file nor registered. Declare it under clusters."
            yield Fault(f"{path}.clusters", message)
        before = stored.link(link.name)
        if before is not None:
            yield from _fixed_fields(path, before, link)
        else:
            yield from _joined_already(path, stored, link)


def _fixed_fields(path: str, before: LinkState, after: LinkState) -> Iterator[Fault]:
    if before.clusters != after.clusters:
        yield Fault(
            f"{path}.clusters",
            f"{after.name} joins {' and '.join(sorted(before.clusters))}. A link cannot change its clusters. Declare "
            "these two, or retire the link first (hawser_link retire).",
        )
    if not is_same_name(before.channel_name, after.channel_name):
        yield Fault(
            f"{path}.channel_name",
            f"The channels of {after.name} are named {before.channel_name!r}. A link cannot change that name. Declare "
            "it, or retire the link first (hawser_link retire).",
        )


def _joined_already(path: str, stored: RegistrationState, link: LinkState) -> Iterator[Fault]:
    for other in stored.links:
        if other.clusters == link.clusters:
            yield Fault(
                f"{path}.name",
                f"The link {other.name} joins these clusters. Declare it by that name, or rename it first "
                f"(hawser_link {other.name} update --name {link.name}).",
            )
