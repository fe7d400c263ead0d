"""A calibration begins only where nothing speaks against a write, and stops automatically."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.adviser.calibration.bounds import Bounds
from backend.core.adviser.calibration.decision import LinkAround, NodeAround, Progress, refusal, stop
from backend.core.adviser.calibration.table import CLEAN_SQL, CREATE_SQL, insert_sql, newest_sql
from backend.core.estimates import FieldError

NODE = NodeAround("db-a1", has_probe_schema=True, lacks=(), is_primary=True, is_synced=True)
LINK = LinkAround("payments", "protected", is_source=True, run_id=None)
FINE = Progress(1.0, 60.0, 0.0)


def test_refusal__protected_link_and_probe_schema__none() -> None:
    assert refusal(NODE, [LINK]) is None
    assert refusal(NODE, []) is None


@pytest.mark.parametrize(
    ("node", "link", "code"),
    [
        ({"has_probe_schema": False}, {}, "calibration_no_probe_schema"),
        ({"has_probe_schema": None}, {}, "calibration_no_probe_schema"),
        ({"lacks": ("CREATE",)}, {}, "calibration_grants_missing"),
        ({"lacks": None}, {}, "calibration_grants_missing"),
        ({"is_synced": False}, {}, "calibration_node_unfit"),
        ({"is_primary": False}, {}, "calibration_node_unfit"),
        ({"error": "cannot connect"}, {}, "calibration_node_unfit"),
        ({}, {"run_id": "r_1"}, "calibration_run_unfinished"),
        ({}, {"is_source": False}, "calibration_standby"),
        ({}, {"state": "degraded"}, "calibration_link_not_protected"),
        ({}, {"state": ""}, "calibration_link_not_protected"),
    ],
)
def test_refusal__one_thing_wrong_or_unknown__its_code(
    node: dict[str, object], link: dict[str, object], code: str
) -> None:
    found = refusal(replace(NODE, **node), [LINK, replace(LINK, **link)])  # type: ignore[arg-type]
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    ("progress", "link", "code"),
    [
        ({"elapsed_s": 6.0}, {}, "time_over"),
        ({"slowest_ms": 2_000.1}, {}, "commit_slow"),
        ({"paused": 0.11}, {}, "flow_control"),
        ({"paused": None}, {}, "flow_control_unknown"),
        ({}, {"run_id": "r_1"}, "calibration_run_unfinished"),
        ({}, {"state": "broken"}, "calibration_link_not_protected"),
    ],
)
def test_stop__a_bound_is_reached__its_code(progress: dict[str, object], link: dict[str, object], code: str) -> None:
    assert stop(FINE, [LINK], Bounds()) is None
    assert stop(replace(FINE, elapsed_s=Bounds().step_s * len(Bounds().writers)), [LINK], Bounds()) is None, (
        "all steps are over"
    )
    found = stop(replace(FINE, **progress), [replace(LINK, **link)], Bounds())  # type: ignore[arg-type]
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"seconds": 10.5}, "seconds"),
        ({"rows": 501}, "rows"),
        ({"row_bytes": 1001}, "row_bytes"),
        ({"writers": (1, 64)}, "writers"),
        ({"writers": (1, 1)}, "writers"),
        ({"writers": ()}, "writers"),
    ],
)
def test_bounds__more_than_is_written__refused_by_the_field(given: dict[str, object], field: str) -> None:
    with pytest.raises(FieldError) as found:
        Bounds(**given)  # type: ignore[arg-type]
    assert found.value.field == field


def test_table__every_statement__names_the_table_of_measurements_alone() -> None:
    for sql in (CREATE_SQL, CLEAN_SQL, insert_sql("z_abc", 1, 100), newest_sql("z_abc")):
        assert "hawser.calibration" in sql
    for bad in ("z'; DROP", "", "Z", "a" * 41):
        with pytest.raises(ValueError, match="cannot stand"):
            insert_sql(bad, 1, 1)
