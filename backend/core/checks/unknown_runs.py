"""The console's database against the servers: a probe of an unknown run was written by another console.

A probe names its run and is stored on the servers, outside the console's database. Two causes make a run unknown: the
database was restored from an older copy, or a second console works on a copy of it or on a database of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backend.core.findings import Finding, Severity
from backend.core.probe import StoredProbe

ATTEST = "attest_unknown_runs"


def unknown_run_probes(probes: Iterable[StoredProbe], knows_run: Callable[[str], bool]) -> list[StoredProbe]:
    """Probes of runs that are not recorded, oldest first, each run once.

    Probes of another console's link count until a run of this console has written a newer probe: that run's plan
    already took them into account.
    """
    found = {probe.run_id: probe for probe in probes}
    newest_own = max((p.at for p in found.values() if not p.link_id and knows_run(p.run_id)), default="")
    strange = (p for p in found.values() if not knows_run(p.run_id) and (not p.link_id or p.at > newest_own))
    return sorted(strange, key=lambda p: (p.at, p.run_id))


def unknown_runs_message(strange: StoredProbe) -> str:
    """The sentence about an unknown run's probe, for a finding or a step."""
    if strange.link_id:
        return (
            f"{strange.node} was probed at {strange.at} UTC by run {strange.run_id} of another console, which manages "
            f"these clusters as link {strange.link_id}. Two consoles that move the same channels do not know each "
            "other's runs."
        )
    return (
        f"{strange.node} was probed at {strange.at} UTC by run {strange.run_id}, which is not in this console's "
        "database. The database was restored from an older copy, or another console works on a copy of it."
    )


def check_unknown_runs(strange: list[StoredProbe], *, is_attested: bool) -> Finding | None:
    """Refuse while the servers hold probes of unknown runs, unless an operator attests that the channels are right."""
    if not strange:
        return None
    newest = strange[-1]
    facts = {"runs": [one.run_id for one in strange], "node": newest.node, "written_at": newest.at}
    if is_attested:
        return Finding(
            "unknown_runs_attested",
            Severity.WARNING,
            f"{unknown_runs_message(newest)} An operator attested that the channels are right.",
            "",
            facts,
        )
    return Finding(
        "unknown_runs_found",
        Severity.BLOCKER,
        unknown_runs_message(newest),
        "Restore a newer copy, or stop the other console. Then compare the channels with the link's page and attest "
        "that they are right.",
        {**facts, "option": ATTEST},
    )
