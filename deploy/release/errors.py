"""Why there is no release."""

from __future__ import annotations


class ReleaseError(Exception):
    """A sentence for people: what is wrong and what to do."""
