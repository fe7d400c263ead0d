"""A remedy is a sentence for people: what the API calls the way out stands in the finding's facts."""

from __future__ import annotations

import re
from pathlib import Path

OPTIONS = (
    *("accept_loss", "attest_", "backup_position", "orphans", "override_partition", "probe", "skip_conflicts"),
    r"\{",
)
CORE = Path(__file__).resolve().parents[3] / "backend" / "core"


def test_remedies__whole_core__no_option_of_the_api_in_a_sentence() -> None:
    spoken = re.compile(rf"\boption ({'|'.join(OPTIONS)})")
    found = [
        f"{path.relative_to(CORE)}: {match[0]}"
        for path in CORE.rglob("*.py")
        for line in path.read_text().splitlines()
        if line.lstrip().startswith(('"', 'f"', "_ACCEPT", "remedy"))
        for match in spoken.finditer(line)
    ]
    assert found == []
