"""What a generated world truly holds, seen in its logs and not in its recipe: a kind that vanishes is to be noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, pairwise

from tests.core.builders.worlds import Recipe
from tests.fakes.cluster import FakeCluster
from tests.fakes.log import Placed
from tests.fakes.transactions import CASCADE, TRIGGER
from tests.fakes.world import FakeWorld

BIG_ROW_EVENTS = 100
LONG_RUN = 8
"""As many groups as the locator compares at first."""


def features(recipe: Recipe, world: FakeWorld) -> list[str]:
    """Names of all that it has."""
    return [name for name, (_, has) in FEATURES.items() if has(recipe, world)]


def too_rare(counts: Mapping[str, int], worlds: int) -> dict[str, int]:
    """Of how many worlds the features are seen that fewer have than shall."""
    return {name: counts.get(name, 0) for name, (least, _) in FEATURES.items() if counts.get(name, 0) < least * worlds}


def _any_placed(has: Callable[[Placed], bool]) -> Callable[[Recipe, FakeWorld], bool]:
    return lambda _, world: any(has(placed) for node in world.nodes for placed in node.log.placed)


def _did(*wanted: str) -> Callable[[Recipe, FakeWorld], bool]:
    """Whether an operation of that name and with these words happened; a node that is lost does nothing any more."""

    def has(recipe: Recipe, _: FakeWorld) -> bool:
        after = (op for op in recipe.after if op[1:] == () or op[1] not in recipe.lost)
        return any(op[0] == wanted[0] and set(wanted) <= set(op) for op in (*recipe.ops, *after))

    return has


def _logged_event(kind: str) -> Callable[[Recipe, FakeWorld], bool]:
    return lambda _, world: any(
        e.type == kind for node in world.nodes for file in node.log.retained for e in file.events
    )


def _has_holes(_: Recipe, world: FakeWorld) -> bool:
    return any(b.seqno > a.seqno + 1 for c in (world.a, world.b) for a, b in pairwise(c.history))


def _has_long_run(_: Recipe, world: FakeWorld) -> bool:
    return any(length >= LONG_RUN for cluster in (world.a, world.b) for length in _runs(cluster))


def _runs(cluster: FakeCluster) -> Iterator[int]:
    """Lengths of runs of one statement in the stream of a cluster."""
    own = [(e.txn.server_id, e.txn.statement) for e in cluster.history if e.txn.server_id in cluster.server_ids]
    return (len(list(run)) for _, run in groupby(own))


def _orders_differ(_: Recipe, world: FakeWorld) -> bool:
    return any(not _is_rising(node.log.placed) for node in world.nodes)


def _is_rising(placed: list[Placed]) -> bool:
    numbers = [p.xid for p in placed if p.xid is not None and not p.txn.is_local]
    return all(a < b for a, b in pairwise(numbers))


def _is_overtaken(recipe: Recipe, world: FakeWorld) -> bool:
    """A channel by GTID whose receiving side committed in another order than its source logged."""
    return recipe.has_gtid_channels and any(
        _is_reordered([p.txn.uid for p in node.log.placed], [e.txn.uid for e in other.history])
        for cluster, other in ((world.a, world.b), (world.b, world.a))
        for node in cluster.nodes
    )


def _is_reordered(sent: list[int], got: list[int]) -> bool:
    both = set(sent) & set(got)
    return [uid for uid in sent if uid in both] != [uid for uid in got if uid in both]


FEATURES: dict[str, tuple[float, Callable[[Recipe, FakeWorld], bool]]] = {
    "holes": (0.2, _has_holes),
    "ddl": (0.3, _any_placed(lambda p: p.txn.kind == "ddl")),
    "no xid": (0.3, _any_placed(lambda p: p.txn.kind == "other")),
    "node-local": (0.2, _any_placed(lambda p: p.txn.is_local)),
    "errant, channel cut": (0.03, _did("errant", "cut")),
    "errant, under the other side's id": (0.04, _did("errant", "as_other")),
    "errant, brought in late": (0.03, _did("late")),
    "errant, skipped": (0.02, lambda _, world: bool(world.skipped)),
    "identical, a long run": (0.2, _has_long_run),
    "big": (0.3, _any_placed(lambda p: p.txn.row_events >= BIG_ROW_EVENTS)),
    "compressed": (0.3, _any_placed(lambda p: p.txn.is_compressed)),
    "encrypted": (0.3, _logged_event("Start_encryption")),
    "rotated": (0.4, lambda _, world: any(len(node.log.retained) > 1 for node in world.nodes)),
    "purged": (0.1, lambda _, world: any(p.end < n.log.start for n in world.nodes for p in n.log.placed)),
    "reset": (0.04, lambda _, world: any(node.log.forgotten for node in world.nodes)),
    "no checksums": (0.06, lambda recipe, _: len(recipe.no_checksums) == 6),
    "checksums on some": (0.1, lambda recipe, _: 0 < len(recipe.no_checksums) < 6),
    "unknown event": (0.04, _logged_event("Nobody_knows")),
    "replica crashed": (0.2, _did("crash")),
    "journal lies": (0.04, _did("lie")),
    "new state UUID": (0.04, _did("uuid")),
    "new state UUID, recorded": (0.015, _did("uuid", "seen")),
    "commit order differs": (0.04, _orders_differ),
    "overtaken by another domain": (0.04, _is_overtaken),
    "failed ddl": (0.04, _did("failed_ddl")),
    "link by gtid": (0.15, lambda recipe, _: recipe.has_gtid_channels),
    "gtids cluster-wide": (0.15, lambda recipe, _: recipe.has_gtid_mode and not recipe.has_gtid_channels),
    "read, not applied": (0.1, lambda _, world: any(c.pending for node in world.nodes for c in node.channels.values())),
    "logged again by an applier of an applier": (0.4, _any_placed(lambda p: p.by.hops > 1)),
    "a cascade's child": (0.3, _any_placed(lambda p: p.txn.shape == CASCADE and p.by.hops > 0)),
    "a trigger's table": (0.3, _any_placed(lambda p: p.txn.shape == TRIGGER and p.by.hops > 0)),
    "text dropped": (0.05, _any_placed(lambda p: not p.by.has_text)),
    "row images differ": (0.1, lambda _, world: len({n.log.row_images for n in world.nodes}) > 1),
    "compressed on some": (0.1, lambda _, world: len({n.log.dress.compresses for n in world.nodes}) > 1),
    "nodes lost": (0.4, lambda recipe, _: bool(recipe.lost)),
}
"""Name -> the least share of worlds that has to have it, and how it is seen."""
