"""A result of the probe in, figures with units out; a damaged one is an error with a field, never a number."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.network.measurement import Measurement
from backend.core.adviser.network.probe_result import (
    MAX_OUTPUT_CHARS,
    is_signed_with,
    parse_probe,
    read_probe,
    signature_of,
)
from backend.core.adviser.network.values import ResultError
from tests.core.builders.examples import examples

SAMPLES = Path(__file__).parent / "samples"
TOKEN = "abcdefghijklmnopqrstuvwxyz"


def sample(name: str) -> str:
    """A recorded output."""
    return (SAMPLES / name).read_text()


def probe(**changes: Any) -> dict[str, Any]:
    """The recorded document of the script, changed."""
    return {**json.loads(sample("probe.json")), **changes}


def refused(read: Callable[[], object]) -> ResultError:
    """The error of a result that is not taken."""
    with pytest.raises(ResultError) as caught:
        read()
    assert "Nothing was stored." in caught.value.message
    return caught.value


def test_probe__recorded__read_and_its_signature_holds() -> None:
    found = parse_probe(sample("probe.json"))
    assert (found.link_id, found.from_node, found.to_node) == ("l_a", "db-a1", "db-b1")
    assert [one.in_flight for one in found.measurement.exchanges] == [1, 7, 7, 1, 7]
    assert is_signed_with(probe(), TOKEN)
    assert Measurement.of_data(json.loads(json.dumps(found.measurement.as_data()))) == found.measurement


@pytest.mark.parametrize("change", [{"link_id": "l_b"}, {"sent_mbit_s": 1.0}, {"signature": "0" * 64}])
def test_probe__changed_after_it_was_signed__signature_fails(change: dict[str, Any]) -> None:
    assert not is_signed_with(probe(**change), TOKEN)
    assert not is_signed_with(probe(), TOKEN + "x")
    assert signature_of(probe(), TOKEN) == probe()["signature"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "version"),
        ({"format": "other"}, "format"),
        ({"exchanges": []}, "exchanges"),
        ({"path_mtu_bytes": 12}, "path_mtu_bytes"),
        ({"sent_mbit_s": 1e9}, "sent_mbit_s"),
        ({"started_at": "yesterday"}, "started_at"),
        ({"retransmitted_percent": -1}, "retransmitted_percent"),
        ({"clock_error_ms": None}, "clock_error_ms"),
        ({"from_node": "<b>"}, "from_node"),
        ({"round_trip": {**probe()["round_trip"], "p50_ms": 9e9}}, "round_trip.p50_ms"),
        ({"round_trip": {**probe()["round_trip"], "p50_ms": 0.0}}, "round_trip.p50_ms"),
        ({"exchanges": [{**probe()["round_trip"], "request_bytes": 2**40}]}, "exchanges.0.request_bytes"),
        ({"exchanges": [{**probe()["round_trip"], "extra": 1}]}, "exchanges.0"),
    ],
)
def test_probe__absurd_field__is_named(change: dict[str, Any], field: str) -> None:
    assert refused(lambda: read_probe(probe(**change))).field == field


def test_probe__a_field_missing_or_unknown__is_named() -> None:
    document = probe()
    del document["segments"]
    assert refused(lambda: read_probe(document)).field == "segments"
    assert "'more'" in refused(lambda: read_probe(probe(more=1))).message


def none_of(error: ResultError) -> None:
    """An error that an operator can act on."""
    assert error.field
    assert error.message.endswith((".", "}"))


def takes(output: str) -> Measurement | None:
    """The measurement, or None where it is refused with a field; any other exception fails the test."""
    try:
        found = parse_probe(output).measurement
    except ResultError as error:
        return none_of(error)
    for name, value in dataclasses.asdict(found).items():
        assert not isinstance(value, float) or value >= 0 or name == "clock_offset_ms"
    return found


@examples(60)
@given(st.floats(0, 0.98))
def test_output__cut_anywhere__refused(share: float) -> None:
    whole = sample("probe.json")
    assert takes(whole[: int(len(whole) * share)]) is None


@examples(150)
@given(st.data())
def test_output__garbled__refused_or_sane(data: st.DataObject) -> None:
    whole = sample("probe.json")
    at = data.draw(st.integers(0, len(whole)))
    junk = data.draw(
        st.text(max_size=6) | st.sampled_from(["-", "9" * 30, "NaN", "1e999", "null", "[]", "{}", '"', "\x00", "٣"])
    )
    takes(whole[:at] + junk + whole[at + len(junk) :])


@examples(60)
@given(st.text(max_size=200))
def test_output__anything__never_a_measurement_or_a_crash(output: str) -> None:
    assert takes(output) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@examples(150)
@given(st.sampled_from(sorted(probe())), JSON)
def test_probe__any_field_of_any_type__refused_or_sane(field: str, value: Any) -> None:
    try:
        read_probe(probe(**{field: value}))
    except ResultError as error:
        none_of(error)


def test_output__too_long__refused_before_it_is_read() -> None:
    assert refused(lambda: parse_probe(" " * (MAX_OUTPUT_CHARS + 1))).field == "result"


def test_stored__by_an_earlier_version__read_without_what_is_gone() -> None:
    found = parse_probe(sample("probe.json")).measurement
    trip = {**found.as_data()["round_trip"], "p90_ms": None}
    assert Measurement.of_data({**found.as_data(), "tool": "x", "is_under_load": False, "round_trip": trip}) == found
