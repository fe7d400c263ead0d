"""The console's processes know database, Redis and a webhook's receiver by name, from a name server of the test."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from deploy.services.process import PYTHON, run
from tests.ha.client import RetryingConsole
from tests.ha.parts import console as processes
from tests.ha.parts.part import Part
from tests.ha.stack import HERE, HaStack
from tests.ha.targets import restart
from tests.ha.under_load import UnderLoad
from tests.support.waiting import wait_for
from tests.support.webhook_receiver import Receiver, receiving

ADDRESS = "127.53.0.53"
KINDS = ("web", "worker", "monitor")
SETTINGS = {"HAWSER_DATABASE_URL": "database", "HAWSER_REDIS_URL": "redis"}
LATE_S = 150.0
"""A notification that failed waits for up to a minute before its third and fourth attempt."""


@dataclass
class Names:
    """The name server, and who is called by a name of it."""

    server: Part
    receiver: Receiver

    def check(self, case: UnderLoad, name: str) -> None:
        """Each run of the case was told as succeeded; none of these events got lost."""
        wanted = {run["id"] for run in case.runs}
        wait_for(lambda: wanted <= set(self._calls()), "every run to be told", LATE_S)
        time.sleep(5)
        calls = self._calls()
        case.figures[f"{name}, webhook calls"] = {"runs": len(wanted), "twice": sum(calls[one] > 1 for one in wanted)}

    def _calls(self) -> Counter[str]:
        found = [call.json for call in list(self.receiver.calls)]
        return Counter(one["run"] for one in found if one["kind"] == "run.succeeded")


@contextmanager
def names(stack: HaStack, console: RetryingConsole) -> Iterator[Names]:
    """For the length of a block; the processes are started again before and behind it."""
    before = {f"{kind}-{n}": dict(stack.parts[f"{kind}-{n}"].env) for kind in KINDS for n in processes.HOSTS}
    server = Part("names", [PYTHON, "-m", "tests.ha.parts.name_server", ADDRESS], stack.home, is_light=True).start()
    stack.parts[server.name] = server
    _resolve_by(stack)
    for name, env in before.items():
        restart(
            stack.parts[name], {key: env[key].replace(HERE, f"{word}.hawser.test") for key, word in SETTINGS.items()}
        )
    with receiving() as receiver:
        wait_for(stack.apis[0].ready, "all parts to be ready by their names", 90, pause_s=0.5)
        hook = _hook(console, receiver)
        try:
            yield Names(server, receiver)
        finally:
            console.call("DELETE", f"/hooks/{hook}")
            for name, env in before.items():
                restart(stack.parts[name], env)
            stack.parts.pop(server.name).end()


def _resolve_by(stack: HaStack) -> None:
    config = stack.home / "resolv.conf"
    config.write_text(f"nameserver {ADDRESS}\n")
    for number in processes.HOSTS:
        inside = ["nsenter", "--target", str(stack.parts[f"host-{number}"].init()), "--mount"]
        run([*inside, "mount", "--bind", str(config), "/etc/resolv.conf"])


def _hook(console: RetryingConsole, receiver: Receiver) -> str:
    body = {
        "name": "by name",
        "url": receiver.url.replace(HERE, "receiver.hawser.test"),
        "secret": "s" * 24,
        "timeout_s": 5,
        "phase": "event",
        "kinds": ["run."],
        "min_severity": "info",
    }
    made = console.call("POST", f"/links/{console.link_id}/hooks", body)
    assert made.status == 201, made
    return str(made.body["id"])
