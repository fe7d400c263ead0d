"""Clusters that belong together, because links join them: each such group has one owner, so a node has one writer."""

from __future__ import annotations

from collections.abc import Iterable

Group = frozenset[str]


def groups_of(clusters: Iterable[str], links: Iterable[tuple[str, str]]) -> list[Group]:
    """The connected components of the clusters, by the ids of each link's two sides; a cluster without link is one."""
    group_by_cluster: dict[str, set[str]] = {cluster: {cluster} for cluster in clusters}
    for first, second in links:
        group = group_by_cluster.setdefault(first, {first})
        other = group_by_cluster.setdefault(second, {second})
        if group is other:
            continue
        group |= other
        group_by_cluster |= dict.fromkeys(other, group)
    distinct = {id(group): group for group in group_by_cluster.values()}
    return sorted((frozenset(group) for group in distinct.values()), key=min)
