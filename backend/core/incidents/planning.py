"""Which plans of incidents are made next: a lost site touches many links, and their clusters carry production."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WantedPlan:
    """A plan by the key of its item, with the clusters whose logs it searches."""

    key: str
    clusters: tuple[str, ...]


def next_plans(
    waiting: Sequence[WantedPlan], in_progress: Iterable[WantedPlan], *, most: int, most_of_a_cluster: int
) -> Iterator[str]:
    """The next plans in their order, with all that are in progress within both limits.

    One that waits for its cluster keeps none back that reads others.
    """
    running = list(in_progress)
    searches = Counter(cluster for plan in running for cluster in plan.clusters)
    free = most - len(running)
    for plan in waiting:
        if free <= 0:
            return
        if all(searches[cluster] < most_of_a_cluster for cluster in plan.clusters):
            searches.update(plan.clusters)
            free -= 1
            yield plan.key


def full_clusters(in_progress: Iterable[WantedPlan], most_of_a_cluster: int) -> set[str]:
    """The clusters whose logs no further plan may search now."""
    searches = Counter(cluster for plan in in_progress for cluster in plan.clusters)
    return {cluster for cluster, count in searches.items() if count >= most_of_a_cluster}
