"""What this package raises."""

from __future__ import annotations


class ServerError(Exception):
    """A server cannot be had, or is not what it should be; the text is a sentence with the remedy."""
