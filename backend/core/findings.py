"""A check's result: never a bare boolean, always a code, a sentence and the observed facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """The severity of a finding; `blocker` and `unknown` both refuse a plan."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    UNKNOWN = "unknown"
    BLOCKER = "blocker"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of one check: stable `code`, a sentence for the operator, the remedy, and the facts."""

    code: str
    severity: Severity
    message: str
    remedy: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def refuses(self) -> bool:
        """Whether a plan with this finding must not run."""
        return self.severity in (Severity.BLOCKER, Severity.UNKNOWN)

    def to_json(self) -> dict[str, object]:
        """The finding in the API's form."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "remedy": self.remedy,
            "facts": dict(self.facts),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        """Inverse of `to_json`."""
        return cls(data["code"], Severity(data["severity"]), data["message"], data["remedy"], data["facts"])


def is_refused(findings: Iterable[Finding]) -> bool:
    """Whether any finding refuses the plan."""
    return any(finding.refuses for finding in findings)
