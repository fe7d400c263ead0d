"""A worker that was killed is seen to be gone from its own machine; one that stands still, or is elsewhere, is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.common.process_owner import is_gone, new_owner
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run
from deploy.lab.server.process import wait_until
from tests.support.console import confirmation, make_user

ROOT = Path(__file__).resolve().parents[3]
HOLD = "from backend.common.process_owner import new_owner; print(new_owner(), flush=True); input()"


@pytest.fixture
def worker() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that holds a claim, and how it is called."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdout is not None
        yield held, held.stdout.readline().strip()
        held.kill()


def killed(worker: tuple[subprocess.Popen[str], str]) -> str:
    """Its owner's name once it was killed, whether its parent noticed or not."""
    held, owner = worker
    os.kill(held.pid, signal.SIGKILL)
    wait_until(lambda: is_gone(owner), 10, "the killed process to be seen")
    return owner


def test_is_gone__process_lives_or_stands_still__false(worker: tuple[subprocess.Popen[str], str]) -> None:
    held, owner = worker
    assert not is_gone(owner)
    os.kill(held.pid, signal.SIGSTOP)
    assert not is_gone(owner)
    assert not is_gone(new_owner())


def test_is_gone__killed__true_before_and_after_it_is_reaped(worker: tuple[subprocess.Popen[str], str]) -> None:
    owner = killed(worker)
    worker[0].wait()
    assert is_gone(owner)


def test_is_gone__its_pid_is_another_process_by_now__true() -> None:
    host, pid, claim, namespace, started = new_owner().rsplit(":", 4)
    assert is_gone(":".join((host, pid, claim, namespace, str(int(started) - 1))))


def test_is_gone__claimed_on_another_machine_or_in_another_container__never() -> None:
    code = HOLD.replace("; input()", "")
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    host, pid, claim, _, started = ended.stdout.strip().rsplit(":", 4)
    for namespace in ("0123456789ab", ""):
        assert not is_gone(":".join((host, pid, claim, namespace, started)))


@pytest.mark.parametrize("owner", ["", "w1", "a:b:c:d:e", "host:1:abc"])
def test_is_gone__a_name_of_another_form__never(owner: str) -> None:
    assert not is_gone(owner)


def test_claim__holder_was_killed__rung_for_and_claimed_within_its_lease(
    db: None, plan: Plan, worker: tuple[subprocess.Popen[str], str]
) -> None:
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert RunStore(run.id, worker[1]).claim(300) == 1
    Run.objects.update(dispatched_at=None)
    assert services.redispatch_stale() == 0
    assert RunStore(run.id, new_owner()).claim(300) is None
    killed(worker)
    assert services.redispatch_stale() == 1
    assert RunStore(run.id, new_owner()).claim(300) == 2
    assert Run.objects.get(pk=run.pk).lost_workers == 1
