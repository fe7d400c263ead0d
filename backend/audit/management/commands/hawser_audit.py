"""Verify or export the audit record without the web."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.audit import selectors, services, verification


class Command(BaseCommand):
    """`hawser_audit verify` exits 1 at the first bad record; `export` writes to standard output."""

    help = "Verify the chain of audit records, or export it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Two verbs."""
        parser.add_argument("verb", choices=["verify", "export"])
        parser.add_argument("--format", choices=["jsonl", "csv"], default="jsonl")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb."""
        if options["verb"] == "verify":
            self._verify()
        else:
            self._export(options["format"])

    def _verify(self) -> None:
        verdict = verification.verify()
        head = verdict["head"]
        if not verdict["ok"]:
            bad = f"record {verdict['first_bad_seq']} is the first bad one ({verdict['reason']})"
            raise CommandError(f"The chain is broken: {bad}. {verdict['detail']}")
        self.stdout.write(f"ok: {verdict['records']} records, head {head['seq']} {head['hash']}")

    def _export(self, form: str) -> None:
        services.record(actor="command line", action="cli:audit:export", facts={"format": form})
        rows = selectors.filtered({})
        for line in selectors.export_csv(rows) if form == "csv" else selectors.export_jsonl(rows):
            self.stdout.write(line, ending="")
