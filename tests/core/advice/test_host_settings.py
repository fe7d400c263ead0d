"""Pasted network settings: what is read of them, what is refused, and what is advised for one site and for two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.advice.host_settings.known import (
    AVAILABLE,
    COMMAND,
    CONGESTION_CONTROL,
    FORMS,
    NOT_ADVISED,
    RECOMMENDED,
)
from backend.core.adviser.advice.host_settings.parse import (
    MAX_BYTES,
    HostSettings,
    HostSettingsError,
    parse_host_settings,
)
from backend.core.adviser.advice.host_settings.table import HostComparison, Judgement, compare_host
from backend.core.adviser.advice.layout import Layout
from tests.core.builders.examples import examples

PROBE = Path(__file__).parents[1] / "network" / "samples" / "probe.json"
DEFAULTS = """net.core.rmem_max = 212992
net.core.wmem_max = 212992
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_available_congestion_control = reno cubic
net.ipv4.tcp_fin_timeout = 60
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_rmem = 4096\t131072\t6291456
net.ipv4.tcp_slow_start_after_idle = 1
net.ipv4.tcp_wmem = 4096\t16384\t4194304
"""


def values_of(text: str) -> dict[str, str]:
    """What is read of a text of one host."""
    (host,) = parse_host_settings(text)
    return dict(host.values)


def compared(text: str, layout: Layout = Layout.TWO_SITES) -> HostComparison:
    """The comparison of a text of one host."""
    (host,) = parse_host_settings(text)
    return compare_host(host, layout)


def changes_of(found: HostComparison) -> dict[str, str | None]:
    """The settings to change, with the recommended value."""
    return {row.name: row.recommended for row in found.rows if row.judgement is Judgement.CHANGE}


@pytest.mark.parametrize(
    "line",
    [
        "net.core.rmem_max = 212992",
        "net.core.rmem_max=212992\r",
        "\ufeffnet.core.rmem_max = 212992",
        "sysctl net.core.rmem_max=212992",
        "sudo /sbin/sysctl -w net.core.rmem_max='212992'",
        "-net/core/rmem_max = 212992",
        "# net.core.rmem_max = 1\nnet.core.rmem_max = 212992\nnet.core.rmem_max = 212992",
        'sysctl: permission denied on key "fs.x"\nkernel.hostname = a=b\nnet.core.rmem_max = 212992',
    ],
)
def test_parse__forms_of_a_line__the_value(line: str) -> None:
    assert values_of(line) == {"net.core.rmem_max": "212992"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "The text is empty."),
        ("kernel.hostname = db-a1\n", "no line with a known setting"),
        (COMMAND, "no line with a known setting"),
        ("net.core.rmem_max = 1\n" + "x" * MAX_BYTES, "longer than 200 kB"),
        ("a = b\nnet.core.rmem_max = many", "Line 2: net.core.rmem_max must be a number, not 'many'."),
        ("net.core.rmem_max =", "must be a number, not ''"),
        ("net.core.rmem_max = ٣", "must be a number"),
        ("net.core.rmem_max = -1", "must be a number"),
        ("net.ipv4.tcp_rmem = 4096 131072", "net.ipv4.tcp_rmem must be 3 numbers"),
        ("net.ipv4.tcp_congestion_control = bbr; reboot", "must be a name"),
        ("net.core.rmem_max = 1\nnet.core.rmem_max = 2", "Line 2: net.core.rmem_max has another value than before"),
        ("{", "This is not complete JSON."),
        ('{"format": "other"}', "not a result of hawser-network-probe"),
    ],
)
def test_parse__unusable_text__refused_by_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(HostSettingsError) as caught:
        parse_host_settings(text)
    assert message in str(caught.value)


@examples(200)
@given(
    st.one_of(
        st.text(),
        st.lists(
            st.tuples(st.sampled_from([*FORMS, "net.x"]), st.sampled_from(["=", " = ", " "]), st.text(max_size=30)).map(
                "".join
            )
        ).map("\n".join),
        st.dictionaries(st.text(), st.text()).map(json.dumps),
    )
)
def test_parse__any_text__its_own_error_or_values_safe_in_a_shell(text: str) -> None:
    try:
        hosts = parse_host_settings(text)
    except HostSettingsError:
        return
    for host in hosts:
        assert all(
            value.replace(" ", "").replace("-", "_").replace("_", "a").isalnum() for value in host.values.values()
        )
        assert compare_host(host, Layout.TWO_SITES).rows or set(host.values) == {AVAILABLE}


def test_compare__defaults_at_two_sites__changes_with_undo_and_fragment() -> None:
    found = compared(DEFAULTS)

    assert changes_of(found) == {
        CONGESTION_CONTROL: "bbr",
        "net.ipv4.tcp_rmem": "4096 131072 16777216",
        "net.ipv4.tcp_wmem": "4096 16384 16777216",
        "net.core.rmem_max": "16777216",
        "net.core.wmem_max": "16777216",
        "net.ipv4.tcp_slow_start_after_idle": "0",
        "net.ipv4.tcp_mtu_probing": "1",
    }
    control, buffer, *_ = found.rows
    assert (control.statement, control.undo) == (
        "sysctl -w net.ipv4.tcp_congestion_control=bbr",
        "sysctl -w net.ipv4.tcp_congestion_control=cubic",
    )
    assert "164 Mbit/s with bbr, 4.1 with cubic" in control.effect
    assert "bbr is not loaded" in control.why
    assert buffer.undo == "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'"
    assert buffer.effect == "not measured here"
    assert found.rows[-1].judgement is Judgement.NOT_ADVISED
    assert values_of(found.fragment) == changes_of(found)
    assert compare_host(HostSettings(values_of(found.fragment)), Layout.TWO_SITES).fragment == ""


@pytest.mark.parametrize("layout", [Layout.ONE_SITE, Layout.UNKNOWN])
def test_compare__not_two_sites__nothing_to_change_and_the_reason(layout: Layout) -> None:
    found = compared(DEFAULTS, layout)

    assert (changes_of(found), found.fragment, found.missing) == ({}, "", ())
    assert ("Choose a profile" in found.rows[0].why) is (layout is Layout.UNKNOWN)


@pytest.mark.parametrize("layout", Layout)
def test_compare__tw_recycle__harms_in_every_layout(layout: Layout) -> None:
    assert changes_of(compared("net.ipv4.tcp_tw_recycle = 1", layout)) == {"net.ipv4.tcp_tw_recycle": "0"}


def test_compare__better_values__are_right() -> None:
    text = "net.core.rmem_max = 33554432\nnet.ipv4.tcp_rmem = 4096 131072 33554432\nnet.ipv4.tcp_mtu_probing = 2"
    assert {(row.judgement, row.is_minimum, row.statement) for row in compared(text).rows} == {
        (Judgement.RIGHT, True, "")
    }


def test_compare__missing_settings__are_unknown_and_give_no_advice() -> None:
    found = compared("net.core.rmem_max = 212992")

    assert [row.name for row in found.rows] == ["net.core.rmem_max"]
    assert CONGESTION_CONTROL in found.missing
    assert "net.ipv4.tcp_tw_recycle" not in found.missing


def test_probe__recorded__both_hosts_with_the_congestion_control_of_the_connection() -> None:
    near, far = parse_host_settings(PROBE.read_text())

    recorded = json.loads(PROBE.read_text())
    assert (near.node_id, far.node_id) == (recorded["from_node"], recorded["to_node"])
    assert near.values[CONGESTION_CONTROL] == recorded["from_host"]["congestion_control"]
    assert near.values["net.ipv4.tcp_rmem"] == recorded["from_host"]["settings"]["net.ipv4.tcp_rmem"]


def test_known__each_setting__once_and_with_a_reason() -> None:
    every = [*RECOMMENDED, *NOT_ADVISED]

    assert len({one.name for one in every}) == len(every)
    assert all(one.why for one in every)
    assert all(one.name in COMMAND for one in every)
