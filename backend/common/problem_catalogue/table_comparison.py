"""Comparisons of tables."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry


def _entry(code: str, title: str, what_happened: str, what_to_do: str) -> ProblemEntry:
    return ProblemEntry(
        code=code,
        statuses=(409,),
        title=title,
        what_happened=what_happened,
        what_it_means="Nothing was begun, and nothing was read or written on any node.",
        what_to_do=what_to_do,
    )


ENTRIES = (
    _entry(
        "comparison_ended",
        "Comparison ended",
        "The comparison is finished, or was stopped.",
        "Begin a new one.",
    ),
    _entry(
        "comparison_no_node",
        "No node to compare",
        "No node of a side is up, Primary and Synced, on MariaDB.",
        "See the nodes of the side that is named, and compare when one is synced.",
    ),
    _entry(
        "comparison_unfinished",
        "Tables are being compared",
        "The link has a comparison that runs or is paused; one goes on at a time.",
        "Wait for its end, or stop it.",
    ),
)
