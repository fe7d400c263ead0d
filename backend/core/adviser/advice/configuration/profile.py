"""The values for a cluster at one site and at two, each with its reason, its measured effect and its source.

Only what held when it was tried, or what nothing contradicted, is here. What is left out, and why, is in
docs/reference/advice.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.options.values import duration_s, number

NOT_MEASURED: Final = "not measured here"
_ARTICLE: Final = "field article on one cluster over two sites"
_LAB: Final = "measured in the lab with distance, Galera 26.4.23"


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """The least value of an option for one layout; a greater one is as good."""

    name: str
    value: str
    why: str
    effect: str
    source: str

    def is_met(self, current: str) -> bool:
        """Whether a node's value is at least this one; a value that cannot be read is not."""
        for read in (number, duration_s):
            found, wanted = read(current), read(self.value)
            if found is not None and wanted is not None:
                return found >= wanted
        return False


_WINDOWS: Final = (
    "More write-sets and fragments may be under way at once, so writers do not wait for a slot.",
    (
        "1.2 to 1.5 round trips a commit become 1.03 to 1.16 with 4 to 32 writers, and 939 ms become 403 ms for a "
        "write-set of 1 MB. 24 writers of small transactions gain 0 to 8 %, for 1.4 times the bytes. Nothing is gained "
        "where 1 % of the packets are lost."
    ),
    _LAB,
)
_TIMEOUTS: Final = (
    "A short interruption of the line does not expel a site.",
    (
        "The nodes stayed together at a load of 20 and through an interruption of 3 s. A site that is really lost is "
        "noticed later."
    ),
    _LAB,
)
PROFILES: Final[dict[Layout, tuple[ProfileValue, ...]]] = {
    Layout.ONE_SITE: (
        ProfileValue(
            "gcs.fc_limit", "32", "A short burst does not stop the other nodes at once.", NOT_MEASURED, _ARTICLE
        ),
    ),
    Layout.TWO_SITES: (
        ProfileValue("evs.send_window", "512", *_WINDOWS),
        ProfileValue("evs.user_send_window", "512", *_WINDOWS),
        ProfileValue("evs.suspect_timeout", "PT15S", *_TIMEOUTS),
        ProfileValue("evs.inactive_timeout", "PT30S", *_TIMEOUTS),
        ProfileValue(
            "gcs.fc_limit", "260", "A burst over the line does not stop the other site at once.", NOT_MEASURED, _ARTICLE
        ),
    ),
    Layout.UNKNOWN: (),
}
