"""Two sides with equal data: what can be said of it before writes are fenced, and what the comparison may cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core import probe
from backend.core.checks.context import CheckContext
from backend.core.equal_data.contents import MissingGrants
from backend.core.findings import Finding, Severity
from backend.core.plans.builders.step_list import StepList
from backend.core.plural import pick, pluralize
from backend.core.topology import NodeFacts

COMPARE_LIMIT_S = 60.0
"""How long one table may take while writes are refused."""
MAX_BYTES = 10 * 2**30
"""Checksums of more would outlast the plan (300 s), and no application accepts such a write pause."""
BYTES_PER_S = 100 * 2**20
"""CHECKSUM TABLE EXTENDED reads at least this much a second where the table is in memory or on an SSD."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ComparedSides:
    """Both sides' tables by name, definition and size, read when the plan was made; checksums follow in the run.

    `missing` are grants without which the tables cannot be read, `unread` any other reason. `probe_missing` is a
    standby node without hawser.probe.
    """

    tables: int = 0
    size_bytes: int = 0
    differences: tuple[str, ...] = ()
    missing: tuple[MissingGrants, ...] = ()
    unread: str = ""
    probe_missing: NodeFacts | None = None

    @property
    def is_probe_readable(self) -> bool:
        """Whether both sides were read, and the standby has hawser.probe."""
        return not (self.missing or self.unread or self.probe_missing)


def equal_findings(ctx: CheckContext, compared: ComparedSides | None) -> Iterator[Finding]:
    """Whether the comparison within the run can succeed."""
    active, standby = ctx.clusters
    if compared is None:
        return
    if compared.unread:
        yield Finding(
            "data_unread",
            Severity.UNKNOWN,
            f"The tables of {active.name} and {standby.name} cannot be compared: {compared.unread}.",
            "Make both nodes answer, then check again.",
        )
        return
    if compared.missing:
        yield from map(_missing_finding, compared.missing)
        return
    if compared.differences:
        more = f" ({pluralize(len(compared.differences), 'difference')} in all)"
        listed = "; ".join(compared.differences[:_SHOWN])
        yield Finding(
            "data_differs",
            Severity.BLOCKER,
            f"{active.name} and {standby.name} do not hold equal data: {listed}{more}.",
            f"Copy {active.name} onto {standby.name} and choose the copy, or remove the differences.",
            {"differences": list(compared.differences[:50])},
        )
        return
    yield from _size_findings(ctx, compared)
    yield Finding(
        "objects_not_compared",
        Severity.WARNING,
        "Tables, views and sequences of the two ends are compared. Stored routines, triggers, events and accounts are "
        "not, nor is any other node of the two clusters.",
        "Compare them with mariadb-dump --no-data --routines --triggers --events.",
    )


def _missing_finding(missing: MissingGrants) -> Finding:
    return Finding(
        "data_unread",
        Severity.UNKNOWN,
        f"The tables of {missing.node} cannot be compared: {missing.sentence}.",
        "\n".join(missing.statements),
        {"node": missing.node, "statements": list(missing.statements)},
    )


def _size_findings(ctx: CheckContext, compared: ComparedSides) -> Iterator[Finding]:
    seconds = 1 + compared.size_bytes // BYTES_PER_S
    facts = {"tables": compared.tables, "size_bytes": compared.size_bytes, "estimate_s": seconds}
    if compared.size_bytes > MAX_BYTES:
        yield Finding(
            "data_too_large",
            Severity.BLOCKER,
            f"{compared.size_bytes / 2**30:,.1f} GiB are too much to compare while writes are refused "
            f"(limit {MAX_BYTES // 2**30} GiB).",
            f"Copy {ctx.link.active.name} onto {ctx.link.standby.name} and choose the copy: writes then continue.",
            facts,
        )
        return
    yield Finding(
        "data_compared",
        Severity.INFO,
        f"{pluralize(compared.tables, 'table')} {pick(compared.tables, 'is', 'are')} defined equally on both sides. "
        f"The rows are compared in the run, while writes are refused, for about {pluralize(seconds, 'second')}.",
        facts=facts,
    )


def probe_table_steps(steps: StepList, compared: ComparedSides) -> None:
    """Create hawser.probe on a standby that lacks it: registration created it on the active side only."""
    node = compared.probe_missing
    if node is None:
        return
    for code, sql in zip(("create_probe_schema", "create_probe_table"), probe.CREATE_SQL, strict=True):
        what = "schema hawser" if code == "create_probe_schema" else "table hawser.probe"
        steps.add(code, f"{node.node.name}: create the {what}", node, sql=(sql,))
