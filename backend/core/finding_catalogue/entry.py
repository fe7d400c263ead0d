"""What the catalogue says of one finding code."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.findings import Severity


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """One finding code: the severities it occurs with, its title, and three answers for the operator.

    `what_it_means` says what the finding does to the plan or the link.
    """

    code: str
    severities: tuple[Severity, ...]
    title: str
    what_happened: str
    what_it_means: str
    what_to_do: str
