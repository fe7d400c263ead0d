"""Measurements that write to the probe schema."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry


def _entry(code: str, title: str, what_happened: str, what_to_do: str) -> ProblemEntry:
    return ProblemEntry(
        code=code,
        statuses=(409,),
        title=title,
        what_happened=what_happened,
        what_it_means="Nothing was written to any node.",
        what_to_do=what_to_do,
    )


ENTRIES = (
    _entry(
        "calibration_grants_missing",
        "Grants of the probe schema missing",
        "The operator account lacks privileges on `hawser.*`, or they could not be read.",
        "Grant what the page of privileges says, and calibrate again.",
    ),
    _entry(
        "calibration_link_not_protected",
        "Link not protected",
        "A link of the cluster is not protected, or was not observed in the last seconds.",
        "See the link's page. Calibrate when it is protected again.",
    ),
    _entry(
        "calibration_no_probe_schema",
        "Probe schema not enabled",
        "The table `hawser.probe` does not exist on the node: no administrator allowed the console to write here.",
        "Create it as the page of privileges says, and calibrate again.",
    ),
    _entry(
        "calibration_node_unfit",
        "Node not fit for a calibration",
        "The node did not answer, or is not synced in a primary component.",
        "Choose a node that is synced.",
    ),
    _entry(
        "calibration_run_unfinished",
        "Run unfinished",
        "A link of the cluster has an unfinished run.",
        "Calibrate when the run has ended.",
    ),
    _entry(
        "calibration_running",
        "Another measurement goes on",
        "A calibration or a heartbeat is being measured; one goes on at a time.",
        "Try again when it has ended, within a minute.",
    ),
    _entry(
        "calibration_standby",
        "Standby not written to",
        "The cluster is the standby of a link. A passive standby writes nothing, which is evidence in itself.",
        "Calibrate the active cluster.",
    ),
)
