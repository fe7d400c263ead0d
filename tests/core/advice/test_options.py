"""Provider options: as one text or as variables, values with units, and no password."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.advice.facts import node_configuration
from backend.core.adviser.advice.options.known import KNOWN, OF_NODE
from backend.core.adviser.advice.options.parse import HIDDEN, parse_options, plugin_options
from backend.core.adviser.advice.options.values import duration_s, same, size_bytes, switch
from backend.core.dialects import DialectError
from backend.core.dialects.galera_configuration import set_provider_option, set_variable
from tests.core.advice.configurations import SHOWN
from tests.core.builders.examples import examples

NAMES = st.sampled_from(sorted(KNOWN))
VALUES = st.text(alphabet="aPTS019./:-", max_size=12)


@examples(200)
@given(st.dictionaries(NAMES, VALUES, max_size=40))
def test_parse_options__as_a_server_shows_them__the_same_pairs(options: dict[str, str]) -> None:
    assert parse_options("".join(f"{name} = {value}; " for name, value in options.items())) == options


@examples(200)
@given(st.text(max_size=80))
def test_parse_options__any_text__no_error_and_no_empty_name(text: str) -> None:
    assert "" not in parse_options(text)


@examples(100)
@given(st.text(alphabet="$%&~9", min_size=3, max_size=20))
def test_options__password__is_hidden_in_both_forms(secret: str) -> None:
    text = f"socket.ssl_key = /etc/key.pem; socket.ssl_password = {secret}"
    for variables in ({"wsrep_provider_options": text}, {"wsrep_provider_socket_ssl_password": secret}):
        found = node_configuration("n", "a1", read_at_s=1, flavor="mariadb", variables=variables, status={})

        assert found.options["socket.ssl_password"] == HIDDEN
        assert secret not in repr(found)


def test_options__real_text__all_and_empty_ones_too() -> None:
    found = parse_options(SHOWN)

    assert found["gmcast.mcast_addr"] == ""
    assert found["gcache.size"] == "128M"
    assert len(found) == 26


def test_plugin_options__groups__get_their_dot_back() -> None:
    shown = {
        "wsrep_provider_evs_user_send_window": "2",
        "wsrep_provider_base_port": "4567",
        "wsrep_provider_socket_ssl_key": "k",
        "wsrep_provider_options": "",
        "wsrep_on": "ON",
    }

    assert plugin_options(shown) == {"evs.user_send_window": "2", "base_port": "4567", "socket.ssl_key": "k"}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT5S", 5), ("PT0.5S", 0.5), ("PT1M", 60), ("P1D", 86_400), ("PT1H30M", 5_400), ("P1DT12H", 129_600), ("5", 5)],
)
def test_duration__text__seconds(text: str, seconds: float) -> None:
    assert duration_s(text) == seconds


@pytest.mark.parametrize("text", [None, "", "P", "PT", "P1", "5S", "PT5", "PTS", "P1Y", "-1"])
def test_duration__no_duration__unknown(text: str | None) -> None:
    assert duration_s(text) is None


@pytest.mark.parametrize(
    ("text", "size"), [("128M", 134_217_728), ("1G", 1_073_741_824), ("64500", 64_500), ("", None), ("1.5G", None)]
)
def test_size__text__bytes(text: str, size: int | None) -> None:
    assert size_bytes(text) == size


@examples(200)
@given(st.integers(0, 10**12))
def test_size__number_and_its_units__the_same(count: int) -> None:
    assert same(f"{count}M", f"{count * 1024}k")
    assert same(f"PT{count}M", f"PT{count * 60}S")


@examples(200)
@given(st.text(max_size=30))
def test_values__any_text__no_error(text: str) -> None:
    assert (duration_s(text) or 0) >= 0
    assert (size_bytes(text) or 0) >= 0
    assert switch(text) in (True, False, None)
    assert same(text, text)


def test_statement__plugin_or_text__as_the_server_takes_it() -> None:
    assert (
        set_provider_option("evs.send_window", "512", has_plugin=False)
        == "SET GLOBAL wsrep_provider_options = 'evs.send_window=512';"
    )
    assert (
        set_provider_option("evs.send_window", "512", has_plugin=True)
        == "SET GLOBAL wsrep_provider_evs_send_window = 512;"
    )


def test_known__what_a_real_server_shows__is_all_known_or_its_own() -> None:
    unknown = parse_options(SHOWN).keys() - KNOWN.keys() - OF_NODE

    assert unknown == set()


@pytest.mark.parametrize("value", ["1;pc.bootstrap=1", "1'", "a\\", "1\n2", "x=y"])
def test_statement__value_that_would_end_the_option__is_refused(value: str) -> None:
    with pytest.raises(DialectError):
        set_provider_option("evs.send_window", value, has_plugin=False)


def test_statement__name_that_is_none__is_refused() -> None:
    for name in ("evs.send_window; DROP", "EVS", "a.b.c", ""):
        with pytest.raises(DialectError):
            set_provider_option(name, "1", has_plugin=False)
    with pytest.raises(DialectError):
        set_variable("sync_binlog = 1 --", "1")
