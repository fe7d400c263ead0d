"""What the documentation promises of the record: an export verified with the key, by the script that it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as configured

from backend.audit import selectors
from backend.audit.models import AuditRecord
from backend.audit.services import open_keyed_chain, record
from tests.backend.unkeyed_record import unkeyed

pytestmark = pytest.mark.slow

__all__ = ["unkeyed"]
ROOT = Path(__file__).resolve().parents[2]


def _documented_check(folder: Path) -> list[str]:
    """The script of the documentation, as a command for the export beside it."""
    page = (ROOT / "docs/how-to/verify-audit-log.md").read_text()
    found = re.search(r"```python\n(.+?)```", page, re.DOTALL)
    assert found is not None
    (folder / "verify.py").write_text(found[1])
    keys = ",".join(configured.HAWSER_AUDIT_KEYS)
    return [sys.executable, str(folder / "verify.py"), str(folder / "export.jsonl"), keys]


def test_documented_script__export_of_keyed_and_unkeyed_records__whole_or_named(unkeyed: None, tmp_path: Path) -> None:
    open_keyed_chain()
    record(actor="zoe", action="test:thing:do", facts={"ä": [1, None, 2.5]})
    lines = list(selectors.export_jsonl(AuditRecord.objects.all()))
    command, export = _documented_check(tmp_path), tmp_path / "export.jsonl"
    export.write_text("".join(lines))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("ok: 5 records"), done.stderr
    for index, name in ((1, "zoe"), (4, "zoe")):
        export.write_text("".join([*lines[:index], lines[index].replace('"target": ""', f'"target": "{name}"')]))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert f"record {index + 1} is bad" in done.stderr
