"""Refuses passwords that are guessed first: known ones, patterns, and those made of the user's own name."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

_LOOKED_AT: Final = 72
"""The estimate grows with the cube of the length; what is longer is judged by its beginning."""
_GOOD: Final = 3
"""Of 0 to 4: more than ten to the eighth guesses."""


class GuessablePasswordValidator:
    """As Django's validators are used; the lists of known passwords and words ship with zxcvbn."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise where it would be guessed soon, with what would help."""
        names = [user.username] if user is not None and user.username else []
        found = zxcvbn(password[:_LOOKED_AT], user_inputs=[*names, "hawser"])
        if found["score"] < _GOOD:
            advice = [found["feedback"]["warning"], *found["feedback"]["suggestions"]]
            raise ValidationError(f"This password is guessed soon. {' '.join(filter(None, advice))}".strip())

    def get_help_text(self) -> str:
        """For forms."""
        return "It must not be a known password, a pattern or made of the user's name."
