"""The console's record against the servers': a probe of a run it does not know was written by somebody else.

A probe names its run, and stands on the servers, outside the console's database: after that was restored from an older
copy, or where a second console works (on a copy of it, or on its own), the servers know of a run that the record
does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backend.core.findings import Finding, Severity
from backend.core.probe import StoredProbe

ATTEST = "attest_unknown_runs"


def unknown_run_probes(probes: Iterable[StoredProbe], knows_run: Callable[[str], bool]) -> list[StoredProbe]:
    """Probes of runs that are not in the record, oldest first, each run once.

    Those of another console's link count until a run of this one has left a newer probe: it was made knowing of them.
    """
    found = {probe.run_id: probe for probe in probes}
    newest_own = max((p.at for p in found.values() if not p.link_id and knows_run(p.run_id)), default="")
    strange = (p for p in found.values() if not knows_run(p.run_id) and (not p.link_id or p.at > newest_own))
    return sorted(strange, key=lambda p: (p.at, p.run_id))


def unknown_runs_message(strange: StoredProbe) -> str:
    """What is wrong, for a finding or a step."""
    if strange.link_id:
        return (
            f"{strange.node} was probed at {strange.at} UTC by run {strange.run_id} of another console, which has "
            f"these clusters as link {strange.link_id}: two consoles that move the same channels know nothing of each "
            "other's runs."
        )
    return (
        f"{strange.node} was probed at {strange.at} UTC by run {strange.run_id}, which this console's record does not "
        "know: its database was restored from an older copy, or another console works on a copy of it."
    )


def check_unknown_runs(strange: list[StoredProbe], *, is_attested: bool) -> Finding | None:
    """Refuse while the servers know more runs than the record, unless a person attests that their state is right."""
    if not strange:
        return None
    newest = strange[-1]
    facts = {"runs": [one.run_id for one in strange], "node": newest.node, "written_at": newest.at}
    if is_attested:
        return Finding(
            "unknown_runs_attested",
            Severity.WARNING,
            f"{unknown_runs_message(newest)} A person attests what stands.",
            "",
            facts,
        )
    return Finding(
        "unknown_runs_found",
        Severity.BLOCKER,
        unknown_runs_message(newest),
        "Restore a newer copy or stop the other console; then compare the channels with what the link's page shows "
        "and attest that they are right.",
        {**facts, "option": ATTEST},
    )
