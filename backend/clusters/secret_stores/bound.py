"""Entries of the settings that say what a reference may name, each for all clusters or for those of one environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backend.clusters.secret_stores.model import ReferenceRefusedError


def entry_parts(entry: str) -> tuple[str, str]:
    """Environment and value of `production=secret/hawser`; the environment is empty where there is none."""
    environment, equals, value = entry.partition("=")
    return (environment, value) if equals and not entry.startswith("/") else ("", entry)


def check_environment(
    entries: Iterable[str], covers: Callable[[str], bool], environment: str | None, refusal: str
) -> None:
    """Refuse what no entry covers, and what belongs to another environment by the longest entry that covers it.

    `environment` is that of the cluster; None where it is registered with the reference, which needs all environments.
    """
    parts = [(bound, value) for bound, value in map(entry_parts, entries) if covers(value)]
    if not parts:
        raise ReferenceRefusedError(refusal)
    longest = max(len(value) for _, value in parts)
    owners = {bound for bound, value in parts if len(value) == longest}
    if environment is not None and not owners & {"", environment}:
        raise ReferenceRefusedError(
            f"This belongs to the environment {', '.join(sorted(owners))}, and the cluster is in "
            f"{environment or 'none'}. Name a secret of its own, or let an administrator move the cluster first."
        )
