"""Input fields with the console's rules for text."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from rest_framework import serializers

NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$"
ID_PATTERN = r"^[a-z]_[a-z2-7]{12}$"


class PlainTextField(serializers.CharField):
    """Text without control characters, so that it cannot disturb a terminal or a log."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse line breaks, NUL and other control characters."""
        if not isinstance(data, str):
            self.fail("invalid")
        value = super().to_internal_value(data)
        if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in value):
            raise serializers.ValidationError("Remove control characters and line breaks.")
        return str(value)


class NameField(PlainTextField):
    """A name: letters, digits, blanks, dots, dashes and underscores, up to 63 characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=63, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse names that would need quoting in a URL, a shell or a log line."""
        value = super().to_internal_value(data)
        if not re.fullmatch(NAME_PATTERN, value):
            raise serializers.ValidationError(
                "Use 1 to 63 letters, digits, blanks, dots, dashes or underscores, starting with a letter or digit."
            )
        return value


class SecretField(serializers.CharField):
    """A password; it is never returned."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(write_only=True, trim_whitespace=False, max_length=256, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse control characters: a line break would end a line in master.info."""
        if not isinstance(data, str):
            self.fail("invalid")
        value = super().to_internal_value(data)
        if any(unicodedata.category(char) in ("Cc", "Cs") for char in value):
            raise serializers.ValidationError(
                "The password contains control characters and cannot be used for replication. Choose another password."
            )
        return str(value)
