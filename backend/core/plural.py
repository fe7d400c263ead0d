"""Counts in sentences."""


def pluralize(count: int, noun: str, plural: str | None = None) -> str:
    """The count with its noun: `1 transaction`, `1,200 transactions`; `plural` where it is not noun + s."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
