"""What the documentation and the deployment promise of the record: an upgrade, and an export verified with the key."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as configured

from backend.audit import chain, selectors
from backend.audit.models import AuditRecord
from backend.audit.services import open_keyed_chain, record
from tests.backend.unkeyed_record import unkeyed

pytestmark = pytest.mark.slow

__all__ = ["unkeyed"]
ROOT = Path(__file__).resolve().parents[2]


def _manage(database: Path, *arguments: str) -> str:
    env = {**os.environ, "HAWSER_DEBUG": "1", "HAWSER_DATABASE_URL": f"sqlite:///{database}"}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _add_unkeyed_record(database: Path) -> None:
    """As a console of before there was a key wrote it."""
    plain = dict.fromkeys(chain.FIELDS, "") | {"seq": 1, "at": "2026-11-24T08:00:00.000000Z", "facts": {}}
    plain["prev_hash"] = chain.GENESIS
    digest = chain.hash_of(plain, None)
    with sqlite3.connect(database) as session:
        session.execute(
            "INSERT INTO audit_auditrecord"
            " VALUES (1, '2026-11-24 08:00:00', '', '', '', '', '', '', '', '', '{}', ?, ?)",
            (chain.GENESIS, digest),
        )
        session.execute("UPDATE audit_audithead SET seq = 1, hash = ?", (digest,))


@pytest.mark.timeout(300)
def test_upgrade__record_of_before_there_was_a_key__is_bound_and_guarded(tmp_path: Path) -> None:
    database = tmp_path / "c.sqlite3"
    _manage(database, "migrate", "audit", "0003", "-v0")
    _add_unkeyed_record(database)
    _manage(database, "migrate", "-v0")
    assert _manage(database, "hawser_audit", "verify").startswith("ok: 2 records")
    with sqlite3.connect(database) as session, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        session.execute("DELETE FROM audit_auditrecord")


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
