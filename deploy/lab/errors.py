"""What the lab says when it cannot do as asked."""

from __future__ import annotations


class LabError(Exception):
    """A refusal with one sentence for the person at the terminal."""
