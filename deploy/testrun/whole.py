"""`make test-whole`: each stage in a process of its own, its result kept by commit, and one page of all results."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from deploy.services.process import PYTHON, ROOT, die_with_parent
from deploy.testrun.counts import Counts, Results, last_line, load
from deploy.testrun.stages import Stage
from deploy.testrun.workspace import Workspace

CHECK_EVERY_S = 0.5
KEEPS_THE_DISK = "containers"
"""Images would fill the memory that the servers of the other stages write to."""


def run(stages: list[Stage], workspace: Workspace, *, lanes: int = 1, begin_with: str | None = None) -> Results:
    """Results by stage, `lanes` of them at once; those before `begin_with` are kept from a run of the same commit.

    One that no run kept is a failure: a page that leaves it out would read as if it were green.
    """
    kept = workspace.folder / "whole" / _commit()
    kept.mkdir(parents=True, exist_ok=True)
    names = [stage.name for stage in stages]
    if begin_with is not None and begin_with not in names:
        raise SystemExit(f"There is no stage {begin_with!r} to go on with. Choose from {', '.join(names)}")
    first = names.index(begin_with) if begin_with else 0
    results = {name: _result(name, kept, workspace) for name in names[:first]}
    waiting, running = names[first:], dict[str, subprocess.Popen[bytes]]()
    try:
        while waiting or running:
            while waiting and len(running) < lanes:
                name = waiting.pop(0)
                running[name] = _started(name, kept, workspace)
            time.sleep(CHECK_EVERY_S)
            for name in [name for name, process in running.items() if process.poll() is not None]:
                del running[name]
                print(workspace.log(name).read_text("utf-8", "replace"), flush=True)
                results[name] = _result(name, kept, workspace)
                (kept / "summary.md").write_text(page(results))
    finally:
        for process in running.values():
            process.terminate()
            process.wait(60)
    print(f"summary: {kept / 'summary.md'}")
    return results


def _commit() -> str:
    """The commit, and whether the tree differs from it: results are kept for what they were got with."""
    command = ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-changed"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _started(name: str, kept: Path, workspace: Workspace) -> subprocess.Popen[bytes]:
    (kept / f"{name}.json").unlink(missing_ok=True)
    servers = workspace.folder if name == KEEPS_THE_DISK else workspace.servers
    with workspace.log(name).open("wb") as log:
        return subprocess.Popen(
            [PYTHON, "-m", "deploy.testrun", "--whole", name, "--counts", str(kept / f"{name}.json")],
            cwd=ROOT,
            env=workspace.env(servers),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - see die_with_parent
        )


def _result(name: str, kept: Path, workspace: Workspace) -> tuple[float, Counts]:
    """What the stage's process stored; one that ended without it is a failure."""
    path = kept / f"{name}.json"
    if not path.exists():
        return 0.0, Counts(failed=1, failures=(f"{name}: ended without a result, see {workspace.log(name)}",))
    return load(path)[name]


def page(results: Results) -> str:
    """The page of all results, in Markdown."""
    lines = [
        "# Results of make test-whole",
        "",
        "| stage | seconds | of processors | passed | failed | failed, then passed | slowest |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, (seconds, counts) in results.items():
        slowest = "; ".join(f"{test} ({took:.0f} s)" for took, test in counts.slow[:1])
        numbers = f"{counts.passed} | {counts.failed} | {len(counts.unsteady)}"
        lines.append(f"| {name} | {seconds:.0f} | {counts.processor_s:.0f} | {numbers} | {slowest} |")
    total = sum((counts for _, counts in results.values()), Counts())
    lines += ["", last_line(total), ""]
    lines += [f"- failed: {failure}" for failure in total.failures]
    lines += [f"- failed, then passed when repeated: {name}" for name in total.unsteady]
    return "\n".join(lines) + "\n"
