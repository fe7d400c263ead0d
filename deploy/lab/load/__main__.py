"""The load's own process; started by `deploy.lab.load.control`, it ends after its time or on SIGTERM."""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from deploy.lab.layout import Node, Paths, Settings, nodes_of
from deploy.lab.load.control import Order, report_file
from deploy.lab.load.route import Route
from deploy.lab.load.schema_changes import SchemaChanger
from deploy.lab.load.writer import Counters, Writer
from deploy.lab.server import accounts
from deploy.lab.server.accounts import Account
from deploy.lab.wan import addresses, devices
from deploy.servers import store

RECENT_SECONDS = 10.0


def _report(path: Path, order: Order, began: float, counters: list[Counters], active: str | None) -> None:
    now = time.monotonic()
    rows: list[dict[str, Any]] = []
    for one in counters:
        lately = [moment for moment in one.recent if now - moment <= RECENT_SECONDS]
        row = asdict(one) | {"per_second": round(len(lately) / min(RECENT_SECONDS, max(now - began, 1.0)), 2)}
        del row["recent"]
        rows.append(row)
    text = json.dumps({"order": asdict(order), "seconds": round(now - began, 1), "writers": rows, "active": active})
    partial = path.with_suffix(".partial")
    partial.write_text(text)
    partial.replace(path)


def main() -> int:
    """Arguments: the lab's home, the order as JSON."""
    paths, order = Paths(Path(sys.argv[1])), Order(**json.loads(sys.argv[2]))
    stored = json.loads(paths.settings.read_text())
    settings = Settings.from_stored(stored)
    account = accounts.load(paths.secrets)["app"]
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    route = Route(paths)
    route.poll()
    workers = _workers(settings, account, paths, order, route)
    threads = [threading.Thread(target=worker.run, args=(stop,)) for worker in workers]
    threading.Thread(target=route.run, args=(stop,), daemon=True).start()
    for thread in threads:
        thread.start()
    _watch(stop, threads, paths, order, [worker.counters for worker in workers], route)
    return 0


def _entry_of(settings: Settings, paths: Paths, site: str) -> Callable[[], None]:
    """Moves the calling thread to where the site's clients stand, in a lab with distance."""
    if not settings.wan:
        return lambda: None
    return partial(devices.enter, addresses.namespace(paths.home, addresses.clients(site)))


def _workers(
    settings: Settings, account: Account, paths: Paths, order: Order, route: Route
) -> list[Writer | SchemaChanger]:
    token = f"{random.getrandbits(24):06x}"
    workers: list[Writer | SchemaChanger] = []
    for site_index, site in enumerate(order.sites):
        may_write, enter = partial(route.may_write, site), _entry_of(settings, paths, site)
        nodes = [node for node in nodes_of(settings) if node.site == site]
        ca = paths.ca if store.ready(settings.server_of(nodes[0])).family.is_mysql else None
        for index in range(order.writers):
            workers.append(
                Writer(
                    f"{site}{index + 1}-{token}",
                    _turned(nodes, index),
                    account,
                    paths.ledgers,
                    order.rate,
                    may_write,
                    enter,
                    ca,
                )
            )
        if order.ddl_every > 0:
            name = f"{site}-schema-{token}"
            changer = SchemaChanger(
                name,
                nodes,
                account,
                paths.ledgers,
                every=order.ddl_every,
                shared=order.ddl_shared and site_index == 0,
                may_change=partial(route.may_change_schema, site),
                enter=enter,
                ca=ca,
            )
            workers.append(changer)
    return workers


def _watch(
    stop: threading.Event,
    threads: list[threading.Thread],
    paths: Paths,
    order: Order,
    counters: list[Counters],
    route: Route,
) -> None:
    """Report once a second; end when told, when the time is over, or when every thread has ended."""
    began = time.monotonic()
    while any(thread.is_alive() for thread in threads):
        if time.monotonic() - began > order.seconds:
            stop.set()
        _report(report_file(paths), order, began, counters, route.active)
        time.sleep(0.1 if stop.is_set() else 1.0)
    _report(report_file(paths), order, began, counters, route.active)


def _turned(nodes: list[Node], by: int) -> list[Node]:
    return nodes[by % len(nodes) :] + nodes[: by % len(nodes)]


if __name__ == "__main__":
    sys.exit(main())
