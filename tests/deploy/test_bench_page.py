"""A measurement writes its own sections of the page of benchmarks and leaves those of others."""

from __future__ import annotations

from bench.machine import BUSY
from bench.report import Figures, other_sections, page
from deploy.services.process import ROOT

WRITTEN = page(Figures({BUSY: "no"}))
OTHER = "## Many links\n\nWritten by hand.\n\n### Of it\n\n| a | b |\n"


def test_sections__of_another_measurement__stay_as_they_are() -> None:
    assert other_sections(f"{WRITTEN}\n{OTHER}\n\n## Storage\n\nToo.\n", WRITTEN) == [OTHER, "## Storage\n\nToo.\n"]


def test_sections__that_the_measurement_wrote_before__are_replaced() -> None:
    stored = f"# An old head\n\n## Aims\n\n| old | figures |\n\n{OTHER}"
    assert other_sections(stored, WRITTEN) == [OTHER]


def test_page_of_the_project__written_again__loses_no_section() -> None:
    stored = (ROOT / "docs/evidence/benchmarks.md").read_text()
    headings = {line for line in stored.splitlines() if line.startswith("## ")}
    rest = {section.splitlines()[0] for section in other_sections(stored, WRITTEN)}
    assert headings - rest == {"## Aims"}
