"""What can go wrong with a provider."""

from __future__ import annotations


class ProviderError(Exception):
    """The provider did not answer, or not with what it should; nothing is known of the user."""


class RejectedError(Exception):
    """The provider, or a check of its token, says no."""
