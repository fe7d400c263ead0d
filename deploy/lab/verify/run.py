"""One verification, start to end."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from deploy.lab.cluster import LabContext, admin
from deploy.lab.layout import SITES, Node
from deploy.lab.load import control, ledger
from deploy.lab.verify import convergence
from deploy.lab.verify.contents import read, read_schema
from deploy.lab.verify.judge import NodeContents, Verdict, judge

READ_SECONDS = 120
SCHEMA_ATTEMPTS = 10


def verify(
    ground: LabContext, *, seconds: float = 60.0, sites: tuple[str, ...] = SITES, skip: tuple[str, ...] = ()
) -> Verdict:
    """Judge every write settled before the call.

    The cut is taken first: writes settled by then must be on every node that later shows both markers. Writes begun or
    settled afterwards are in flight for this verdict, whatever became of them meanwhile.
    """
    ended = not control.is_running(ground.paths)
    cut = ledger.read_all(ground.paths.ledgers, ended=ended)
    nodes, trouble = convergence.candidates(ground, sites, skip)
    trouble += convergence.wait(ground, nodes, seconds)
    with ThreadPoolExecutor(max(1, len(nodes))) as pool:
        contents = list(pool.map(lambda node: _read(ground, node), nodes))
    newer = ledger.read_all(ground.paths.ledgers, ended=ended)
    verdict = judge(before_cut(cut, newer), _with_schemas(ground, nodes, contents))
    verdict.unsettled = trouble
    return verdict


def before_cut(cut: dict[str, ledger.Write], newer: dict[str, ledger.Write]) -> dict[str, ledger.Write]:
    """The writes as of the cut; those that came or were decided afterwards count as in flight."""
    newcomers = {
        write_id: ledger.Write(write_id, write.site, write.parts, "in_flight")
        for write_id, write in newer.items()
        if write_id not in cut
    }
    return newcomers | cut


def _read(ground: LabContext, node: Node) -> NodeContents:
    with admin(ground, node, READ_SECONDS) as connection:
        return read(connection, node.name)


def _with_schemas(ground: LabContext, nodes: list[Node], contents: list[NodeContents]) -> list[NodeContents]:
    """The contents with each node's schema. A running load changes schemas: they must be equal at *one* moment."""
    found: list[frozenset[str]] = []
    for attempt in range(SCHEMA_ATTEMPTS):
        if attempt:
            time.sleep(0.5)
        found = [_schema(ground, node) for node in nodes]
        if len(set(found)) <= 1:
            break
    return [replace(node, schema=schema) for node, schema in zip(contents, found, strict=True)]


def _schema(ground: LabContext, node: Node) -> frozenset[str]:
    with admin(ground, node, READ_SECONDS) as connection:
        return read_schema(connection)
