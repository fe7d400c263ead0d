"""Starting, changing and removing a lab's distance; everything that it leaves can be removed again by name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.layout import Paths, Settings, nodes_of
from deploy.lab.server import process
from deploy.lab.wan import namespaces, requirements
from deploy.lab.wan.addresses import ends_of, network, proxies
from deploy.lab.wan.plan import Plan
from deploy.lab.wan.protocol import ENDED, NAME, RouterError, ask, socket_file

LONGEST_S = 86_400.0
"""A router that is not ended by then ends after a day, as the load does."""
START_LIMIT = 60.0
_ROOT = Path(__file__).resolve().parents[3]


def require_possible(paths: Paths, settings: Settings) -> None:
    """LabError with the remedy where this machine cannot have it: rights, programs, or the network in use."""
    requirements.require(requirements.missing(requirements.own_status()))
    namespaces.require_free(paths.home, network(settings))


def start(paths: Paths, settings: Settings) -> bool:
    """Namespaces, router and addresses, unless they are there; False if the router ran already."""
    if process.recorded(paths.pid(NAME)):
        return False
    require_possible(paths, settings)
    ends, net = ends_of(settings, nodes_of(settings)), network(settings)
    namespaces.create(paths.home, ends, net)
    write_plan(paths, read_plan(paths))
    socket_file(paths).unlink(missing_ok=True)
    command = [sys.executable, "-m", "deploy.lab.wan.router", str(paths.home), str(LONGEST_S)]
    process.spawn(command, paths.pid(NAME), paths.log(NAME), cwd=_ROOT)
    process.wait_until(lambda: _has_begun(paths), START_LIMIT, "the router of the lab's distance")
    namespaces.configure(paths.home, ends, net, proxies(settings))
    return True


def _has_begun(paths: Paths) -> bool:
    if not process.recorded(paths.pid(NAME)):
        raise LabError(f"the router of the lab's distance ended at once. See {paths.log(NAME)}")
    try:
        ask(paths, "reset")
    except LabError:
        return False  # it has not opened its socket yet; the time limit decides
    return True


def is_running(paths: Paths) -> bool:
    """Whether the router that was started here still runs."""
    return process.recorded(paths.pid(NAME)) is not None


def require_running(paths: Paths, settings: Settings) -> None:
    """RouterError with the remedy where a lab with distance has lost its router: what needs the network would hang."""
    if settings.wan and not is_running(paths):
        raise RouterError(f"{ENDED}. Its log is {paths.log(NAME)}")


def remove(paths: Paths, settings: Settings) -> list[str]:
    """End the router and remove namespaces and route, also those of a lab that crashed; sentences on what stays.

    A lab without distance has none of it, and needs no right to remove it.
    """
    if not (settings.wan or namespaces.present(paths.home)):
        return []
    process.kill(paths.pid(NAME))
    return namespaces.remove(paths.home, network(settings))


def read_plan(paths: Paths) -> Plan:
    """The plan as last chosen; an empty one before."""
    try:
        return Plan.from_json(json.loads(paths.wan_plan.read_text()))
    except FileNotFoundError:
        return Plan()


def write_plan(paths: Paths, plan: Plan) -> None:
    """Write it down, whole or not at all."""
    draft = paths.wan_plan.with_suffix(".draft")
    draft.write_text(json.dumps(plan.to_json(), indent=1))
    draft.replace(paths.wan_plan)


def change(paths: Paths, settings: Settings, plan: Plan) -> None:
    """Obeyed at once by the running router, and by one that is started after it. LabError leaves both as they are."""
    plan.rule_of(ends_of(settings, nodes_of(settings)))
    ask(paths, "apply", plan=plan.to_json())
    write_plan(paths, plan)
