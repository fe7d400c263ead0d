"""What the catalogue says of one problem code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemEntry:
    """One problem code: its title and HTTP statuses, and three answers for the caller.

    `what_it_means` says above all whether anything was stored or sent to a server.
    """

    code: str
    statuses: tuple[int, ...]
    title: str
    what_happened: str
    what_it_means: str
    what_to_do: str
