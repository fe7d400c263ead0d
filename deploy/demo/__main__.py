"""`python -m deploy.demo` starts the lab and the console, and stops both at its end, also after an error."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType
from typing import Any

from deploy.demo import console, secrets, stand_ins
from deploy.demo.api import Api
from deploy.demo.frontend import build_if_stale
from deploy.demo.lab import LabCommand, release_guard, start_guard
from deploy.demo.options import Options, parse
from deploy.demo.register import register
from deploy.demo.supervise import supervise
from deploy.services.net import port_open
from deploy.services.process import Child, ServiceError, wait_until
from deploy.services.redis import start_redis

READY_LIMIT_S = 90.0
# The lab's own maximum; the load also ends with the lab.
LOAD_SECONDS = "86400"


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """Raised by a signal. Not an `Exception`, so that no `except Exception` swallows it."""


def _on_signal(number: int, frame: FrameType | None) -> None:
    _ignore_signals()
    raise Stop(signal.Signals(number).name)


def _ignore_signals() -> None:
    """Stopping the demo must not be interrupted."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)


def say(text: str) -> None:
    """One line of progress, with the time since the start."""
    print(f"[{time.monotonic() - STARTED:5.1f} s] {text}", flush=True)


STARTED = time.monotonic()


def clean(options: Options) -> None:
    """Removes the files of an earlier demo, except keys and the password, which users may have noted."""
    options.home.mkdir(parents=True, exist_ok=True)
    for folder in (options.logs, options.temporary):
        shutil.rmtree(folder, ignore_errors=True)
    options.temporary.mkdir()
    if options.ready_file:
        options.ready_file.unlink(missing_ok=True)
    if not options.keep_lab:
        for path in options.home.glob(options.database.name + "*"):
            path.unlink()


def start_lab(options: Options, stack: ExitStack) -> LabCommand:
    """A new lab that ends with the demo, or with `keep_lab` the existing one."""
    lab = LabCommand(options.lab_home)
    wanted = ["--variant", options.variant, *(["--wan", options.wan] if options.wan else [])]
    if options.keep_lab:
        lab("up", *wanted)
        return lab
    guard = start_guard(options.lab_home, options.logs / "guard.log")
    stack.callback(release_guard, guard)
    lab("down")
    stack.callback(lab, "down")
    stack.callback(say, "stopping the lab")
    lab("up", *wanted)
    return lab


def start_load(options: Options, lab: LabCommand, link: str) -> None:
    """The application. Like a proxy's health check, it reads the active side from the console."""
    token_file = str(options.load_token)
    lab("load", "follow", "--console", options.url, "--link", link, "--token-file", token_file)
    lab("load", "switch", "--both-sides", "off", "--schema-changes", "off")
    lab("load", "start", "--seconds", LOAD_SECONDS)


def start_console(options: Options, stack: ExitStack) -> tuple[list[Child], Api, str]:
    """Redis, the migrated database, users, and the three processes once they respond."""
    redis = start_redis(options.home / "redis", options.logs / "redis.log")
    stack.callback(redis.child.stop)
    env = console.settings(options, redis.url)
    password = secrets.password(options.secrets)
    token = console.prepare(env, password)
    secrets.renewed(options.load_token, console.token_of(env, "vera", "the lab's load"))
    children = console.processes(options, env)
    for child in children:
        child.start()
        stack.callback(child.stop)
    api = Api(options.port, token)
    say("starting web, worker and monitor")
    if not wait_until(api.ready, READY_LIMIT_S, children[0]):
        problems = "\n\n".join(f"{child.name}:\n{child.tail()}" for child in children)
        raise ServiceError(f"the console is not ready: {_readiness(api)}\n{problems}")
    return [redis.child, *children], api, password


def _readiness(api: Api) -> object:
    try:
        return api.call("GET", "/readyz")
    except OSError as error:
        return error


def protected_links(api: Api) -> list[Any]:
    """Links with a proven position in both directions; none while the console is restarting."""
    try:
        status, answer = api.call("GET", "/api/v1/links")
    except OSError:
        return []
    return [link for link in answer["results"] if link["state"] == "protected"] if status == 200 else []


def load_with_link(options: Options, lab: LabCommand, api: Api) -> Callable[[], None]:
    """The application begins once a link of the bare clusters is protected."""
    started = False

    def watch() -> None:
        nonlocal started
        if started:
            return
        found = protected_links(api)
        if found:
            started = True
            start_load(options, lab, str(found[0]["id"]))
            say(f"the link {found[0]['name']} is protected; the load is started")

    return watch


def announce_clusters(access: dict[str, Any]) -> None:
    """Prints what a newcomer knows of the clusters: a node of each, and an administrator's account."""
    first, second = (f"{node['host']}:{node['port']}" for node in access["nodes"])
    print(
        f"\n  clusters   two, not linked. One node of each: {first} and {second}\n"
        f"  account    {access['user']}\n  password   {access['password']}\n  CA         {access['ca']}\n"
        "  begin      sign in as ada, open Clusters, Register clusters…",
        flush=True,
    )


def announce(options: Options, api: Api, password: str, extra: dict[str, Any], children: list[Child]) -> None:
    """Prints address and sign-in for people, and writes the same as JSON for a waiting test."""
    names = ", ".join(f"{name} ({role})" for name, role in secrets.USERS.items())
    print(
        f"\n  Hawser     {options.url}\n  sign in    {names}\n  password   {password}\n"
        f"  API token  {options.secrets / 'token'}\n  logs       {options.logs}\n"
        "  stop       Ctrl-C\n",
        flush=True,
    )
    secrets.renewed(options.secrets / "token", api.token)
    if not options.ready_file:
        return
    facts = {
        "url": options.url,
        "users": secrets.USERS,
        "password": password,
        "token": api.token,
        "lab_home": str(options.lab_home),
        "logs": str(options.logs),
        "pids": {child.name: child.process.pid for child in children if child.process},
        **extra,
    }
    part = options.ready_file.with_suffix(".part")
    secrets.renewed(part, json.dumps(facts)).replace(options.ready_file)


def demo(options: Options, stack: ExitStack) -> None:
    """The whole demo; whatever is started registers its end on `stack`."""
    if port_open(options.port):
        raise ServiceError(f"port {options.port} is in use. Nothing was started. Choose another port with HAWSER_PORT.")
    clean(options)
    say("the console's pages were built" if build_if_stale() else "the console's pages are up to date")
    say("starting two Galera clusters")
    lab = start_lab(options, stack)
    say("lab is up; preparing the console")
    children, api, password = start_console(options, stack)
    if options.bare:
        access = lab.unlink()
        announce_clusters(access)
        announce(options, api, password, {"administrator": access}, children)
        supervise(children, options.seconds, load_with_link(options, lab, api) if options.load else lambda: None)
        return
    link = register(api, lab.describe())
    say("link registered")
    if options.links > 1:
        children.append(stand_ins.start(options, children[-1].env or {}))
        stack.callback(children[-1].stop)
        say(f"{options.links - 1} further links registered; their nodes only answer polls")
    if options.load:
        start_load(options, lab, link)
        if options.keep_lab:
            stack.callback(lab, "load", "stop")
    announce(options, api, password, {"link_id": link}, children)
    supervise(children, options.seconds)


def main() -> int:
    """Exit code 0 if the demo was stopped or its time was over, 1 after an error."""
    options = parse()
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    try:
        with ExitStack() as stack:
            try:
                demo(options, stack)
            finally:
                _ignore_signals()
    except Stop as stop:
        say(f"stopped by {stop}")
    except ServiceError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    say("all stopped")
    return 0


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
