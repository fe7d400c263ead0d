"""Refuses passwords that are too long or guessed first: known ones, patterns, those made of the user's own name."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

_LOOKED_AT: Final = 72
"""The estimate takes time with the cube of the length, so only the beginning of a long password is judged."""
_GOOD: Final = 3
"""On a scale of 0 to 4: more than ten to the eighth guesses."""


MAX_LENGTH: Final = 128
"""Long enough for every sentence that a person remembers; an administrator cannot store one of a megabyte."""


class MaximumLengthValidator:
    """A validator for Django: the upper end of the length."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise if the password is too long; it is never cut."""
        if len(password) > MAX_LENGTH:
            raise ValidationError(
                f"This password is too long: it has {len(password)} characters, and at most {MAX_LENGTH} are taken."
            )

    def get_help_text(self) -> str:
        """The rule, for forms."""
        return f"The password has at most {MAX_LENGTH} characters."


class GuessablePasswordValidator:
    """A validator for Django; the lists of known passwords and words come with zxcvbn."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise if the password would be guessed soon, with advice."""
        names = [user.username] if user is not None and user.username else []
        found = zxcvbn(password[:_LOOKED_AT], user_inputs=[*names, "hawser"])
        if found["score"] < _GOOD:
            advice = [found["feedback"]["warning"], *found["feedback"]["suggestions"]]
            raise ValidationError(f"This password is easy to guess. {' '.join(filter(None, advice))}".strip())

    def get_help_text(self) -> str:
        """The rule, for forms."""
        return "The password must not be a known password, a pattern or made of the user's name."
