"""Values of references that a request carries. No file and no variable of this host is read for a request."""

from __future__ import annotations

from collections.abc import Mapping

from backend.registration.declaration.references import MissingValueError, checked_password


class GivenSources:
    """The values by the text of their references, as it stands in the document."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self._used: set[str] = set()

    def password(self, reference: str) -> str:
        """The value that was given, without the line break at its end, which a file may have."""
        return checked_password(reference, self._value(reference).removesuffix("\n").removesuffix("\r"))

    def stored_password(self, reference: str) -> str:
        """The value that was given under the reference to the store."""
        return self.password(reference) if reference in self._values else ""

    def key(self, reference: str) -> str:
        """The text that was given."""
        return self._value(reference)

    def certificate(self, name: str) -> str:
        """The text that was given."""
        return self._value(name)

    def unused(self) -> int:
        """How many values no reference asked for. Their names are not told: one could be a password."""
        return len(set(self._values) - self._used)

    def _value(self, name: str) -> str:
        if name not in self._values:
            raise MissingValueError(name)
        self._used.add(name)
        return self._values[name]
