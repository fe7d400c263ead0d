"""Controls the demo's lab: processes of this machine, through the lab's own package."""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Mapping, Set
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import close_old_connections, transaction
from django.utils import timezone

from backend.api.models import LabVerification
from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, invalid, not_found
from backend.core.plural import pluralize
from backend.transactions.orphans.models import OrphanScan
from backend.transactions.orphans.selectors import export_jsonl

log = structlog.get_logger(__name__)
VERIFY_SECONDS = 60.0
_REBUILDING = threading.Lock()
STUCK = timedelta(seconds=180)
WRITE_ID = re.compile(r"\b[0-9a-f]{32}\b")
ACCEPTANCE = "acceptance"


def require_demo() -> None:
    """Without the demo there is no lab, and its paths return 404."""
    if not settings.HAWSER_DEMO:
        raise not_found("lab")


def _lab() -> Any:
    """The lab's Python API; the package is part of the demo only."""
    from deploy.lab.api import Lab

    return Lab(Path(settings.HAWSER_LAB_HOME), settings.HAWSER_LAB_NET or None)


def _asked(work: Any) -> Any:
    """Call the lab; its refusal becomes a problem with the lab's own sentence."""
    from deploy.lab.errors import LabError

    try:
        return work(_lab())
    except LabError as error:
        raise conflict("lab_refused", str(error)) from error


def lab_view() -> dict[str, Any]:
    """The current state of the lab."""
    nodes, variant = _asked(lambda lab: (lab.status(), lab.settings.variant))
    load = _asked(lambda lab: lab.load_status())
    return {
        "rebuild": _asked(lambda lab: lab.rebuild_status()),
        "variant": variant,
        "nodes": [_node(dataclasses.asdict(node)) for node in nodes],
        "load": {
            "running": load["running"],
            "active_site": load["active"],
            "both_sides": load["both_sides"],
            "schema_changes": load["schema_changes"],
            "acknowledged": load["acknowledged"],
            "failed": load["failed"],
            "indeterminate": load["indeterminate"],
            "rate": load["per_second"],
        },
    }


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    wsrep = node["wsrep"] or {}
    committed = wsrep.get("last_committed", "")
    from deploy.lab.layout import CLUSTER_NAMES

    names = ("name", "site", "host", "server_id", "state", "error")
    return {name: node[name] for name in names} | {
        "cluster": CLUSTER_NAMES[node["site"]],
        "wsrep_state": wsrep.get("local_state_comment"),
        "cluster_status": wsrep.get("cluster_status"),
        "last_committed": int(committed) if committed.isdigit() else None,
    }


def node_act(*, actor: str, name: str, action: str) -> str:
    """Kill, freeze, thaw or start a node; if its whole site is down, the site is started with it."""
    known = _asked(lambda lab: [node.name for node in lab.nodes])
    if name not in known:
        raise not_found("lab node")
    _asked(lambda lab: _act(lab, name, action))
    audit.record(actor=actor, action=f"api:lab:{action}", target=name)
    return f"{name}: {action} done"


def _act(lab: Any, name: str, action: str) -> None:
    if action == "start":
        site = lab.node(name).site
        alive = [node for node in lab.nodes if node.site == site and lab.state(node.name) == "running"]
        if alive:
            lab.start(name, wait=False)
        else:
            lab.start_site(site)  # the most advanced node must be the first one, whichever was named
    else:
        getattr(lab, action)(name)


def site_act(*, actor: str, site: str, action: str) -> str:
    """Lose a whole site, or start its nodes that are down; returns when that is done."""
    if site not in {node.site for node in _asked(lambda lab: lab.nodes)}:
        raise not_found("lab site")
    done = str(_asked(lambda lab: lab.lose_site(site) if action == "lose" else _started(lab, site)))
    audit.record(actor=actor, action=f"api:lab:site_{action}", target=site)
    return done


def _started(lab: Any, site: str) -> str:
    return "; ".join(lab.start_site(site)) or f"all nodes of site {site} are up"


def rebuild_start(*, actor: str, site: str, donor: str) -> str:
    """Replace a site by a copy of a node of the other one, in the background; one at a time."""
    known = {node.name: node.site for node in _asked(lambda lab: lab.nodes)}
    if site not in known.values():
        raise not_found("lab site")
    if known.get(donor, site) == site:
        raise invalid("donor", "The donor is not a node of the other site. Name a node of the other site.")
    with _REBUILDING:
        if _asked(lambda lab: lab.rebuild_status())["state"] == "running":
            raise conflict("rebuild_running", "A site is already being rebuilt. Wait until that has ended.")
        thread = threading.Thread(target=_rebuild, args=(site, donor), daemon=True)
        thread.start()
        thread.join(timeout=0.5)  # its state is "running" before the next request
    audit.record(actor=actor, action="api:lab:rebuild", target=site, facts={"from": donor})
    return f"site {site} is being rebuilt from {donor}"


def _rebuild(site: str, donor: str) -> None:
    try:
        _asked(lambda lab: lab.rebuild(site, donor))
    except Exception:
        log.exception("lab.rebuild_failed", site=site)


def load_act(*, actor: str, action: str) -> str:
    """Start or stop the write load."""
    if action == "start":
        _asked(lambda lab: lab.load_start())
        done = "load started"
    else:
        done = "load stopped" if _asked(lambda lab: lab.load_stop()) else "the load was not running"
    audit.record(actor=actor, action=f"api:lab:load_{action}", target="load")
    return done


def load_switch(*, actor: str, both_sides: bool | None, schema_changes: bool | None) -> str:
    """Set switches of the load; one that is not given stays as it is."""
    given = {"both_sides": both_sides, "schema_changes": schema_changes}
    chosen = {name: value for name, value in given.items() if value is not None}
    _asked(lambda lab: lab.load_switch(dataclasses.replace(lab.load_switches(), **chosen)))
    audit.record(actor=actor, action="api:lab:load_switch", target="load", facts=chosen)
    return "; ".join(f"{name.replace('_', ' ')} {'on' if value else 'off'}" for name, value in chosen.items())


def verify_start(*, actor: str) -> LabVerification:
    """Check every acknowledged write on every node that is up, in the background; one at a time."""
    with transaction.atomic():
        running = LabVerification.objects.select_for_update().filter(
            state="running", started_at__gt=timezone.now() - STUCK
        )
        if running.exists():
            raise conflict("verify_running", "A verification is already running. Wait until it has ended.")
        check = LabVerification.objects.create()
        audit.record(actor=actor, action="api:lab:verify", target=check.id)
    threading.Thread(target=_verify, args=(check.id,), daemon=True).start()
    return check


def _verify(check_id: str) -> None:
    try:
        verdict = _asked(_judge)
        changes = _verdict_summary(verdict)
    except ProblemError as problem:
        changes = {"summary": problem.detail, "is_clean": None}
    except Exception as error:
        log.exception("lab.verify_failed")
        changes = {"summary": f"The verification failed: {error}", "is_clean": None}
    LabVerification.objects.filter(pk=check_id).update(state="done", ended_at=timezone.now(), **changes)
    close_old_connections()


def _judge(lab: Any) -> Any:
    skip = tuple(node.name for node in lab.nodes if lab.state(node.name) != "running")
    return lab.verify(seconds=VERIFY_SECONDS, skip=skip)


def _verdict_summary(verdict: Any) -> dict[str, Any]:
    same = "nodes identical" if verdict.identical else "NODES DIFFER"
    lost, doubled = verdict.faults["lost"], len(verdict.faults["doubled"])
    return {
        "summary": f"acknowledged {verdict.acknowledged}, lost {len(lost)}, doubled {doubled}, {same}",
        "is_clean": verdict.clean,
        "details": {**dataclasses.asdict(verdict), ACCEPTANCE: _acceptance(verdict, lost.keys()) if lost else {}},
    }


def _acceptance(verdict: Any, lost: Set[str]) -> dict[str, Any]:
    """Whether all lost writes were accepted: an earlier list of orphaned transactions named them."""
    listed = len(_listed_orphans() & lost)
    sentence = (
        f"{listed} of the {pluralize(len(lost), 'lost write')} were listed as orphaned before they were discarded."
    )
    if listed < len(lost):
        return {
            "is_all": False,
            "sentence": f"{sentence} The others were discarded with a rebuild of the site, before "
            "they could be listed.",
        }
    alone = not any(found for kind, found in verdict.faults.items() if kind != "lost")
    sentence = f"Only accepted writes were lost: all {len(lost)} were listed as orphaned before they were discarded."
    return {"is_all": verdict.identical and alone and not verdict.unsettled, "sentence": sentence}


def _listed_orphans() -> set[str]:
    """Ids of the load's writes in every list of orphaned transactions of the console."""
    scans = OrphanScan.objects.filter(state="found")
    return {found for scan in scans for line in export_jsonl(scan) for found in WRITE_ID.findall(line)}


def verify_view() -> dict[str, Any]:
    """The last verification."""
    check = LabVerification.objects.order_by("-started_at").first()
    if check is None:
        return _verdict("idle", "", None, {})
    if check.state == "running" and timezone.now() - check.started_at > STUCK:
        return _verdict("done", "The verification did not end. Start it again.", None, {})
    return _verdict(check.state, check.summary, check.is_clean, check.details)


def _verdict(state: str, summary: str, is_clean: bool | None, details: Mapping[str, Any]) -> dict[str, Any]:
    acceptance = details.get(ACCEPTANCE) or {}
    return {
        "state": state,
        "summary": summary,
        "clean": is_clean,
        "acceptance": acceptance.get("sentence", ""),
        "lost_only_as_accepted": acceptance.get("is_all", False),
        "details": details,
    }
