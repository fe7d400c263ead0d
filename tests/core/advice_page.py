"""The reference of advice: `python -m tests.core.advice_page` writes docs/reference/advice.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from backend.core.adviser.advice.configuration.profile import PROFILES
from backend.core.adviser.advice.host_settings.known import NOT_ADVISED, RECOMMENDED, Form, HostSetting
from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.model import AdviceEntry
from backend.core.adviser.advice.registry import SUBJECTS

LAYOUTS = (Layout.ONE_SITE, Layout.TWO_SITES)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "advice.md"
HEAD = """# Advice

For DBAs. You look up a piece of advice, the values of the profile for one site or two, and what each rests on.

Advice is about the configuration of a cluster or a link. It refuses no plan and changes no server. Each piece states
a fact, its consequence, the remedy and the evidence. Missing facts give no advice, so an empty list says only that no
rule applied to what was read: the page names the nodes that did not answer.

How to use it: [improve the configuration](../how-to/improve-the-configuration.md).

This page is written by `python -m tests.core.advice_page` from `backend/core/adviser/advice`. A test fails where it is
out of date.

## The profile

| option | one site | two sites | why | measured effect | source |
|---|---|---|---|---|---|
{profile}

A greater value is as good. A cluster lies at two sites if its nodes have different values of `gmcast.segment`, or if
the least latency of its writing nodes (`wsrep_evs_repl_latency`) is 5 ms or more; at one site if it is less. It is
unknown while a node did not answer, or none of them writes. You can choose a profile on the page.

"Measured" is on MariaDB 10.11.19 with Galera 26.4.23, with added delay between the nodes, and one repetition. Other
releases and your line may behave differently.

Left out of the profile, with the reason:

| option | advised by articles | why not |
|---|---|---|
| `gcs.max_packet_size` | 2097152 for two sites | no effect above 32,636 bytes, measured |
| `evs.suspect_timeout`, `evs.inactive_timeout` | both PT1M for two sites | a node is expelled before the others agree |
| `evs.inactive_check_period` | PT30S for two sites | a check rarer than the suspect timeout; not measured here |
| `evs.send_window`, `evs.user_send_window` | 512 for one site | not measured here without distance |
| `gcs.fc_factor`, `evs.use_aggregate` | 1 and true | these are the defaults today |
| `gcache.keep_pages_size`, `gcache.page_size` | 2 and 125M, or 4 and 64M | not measured here |
| `evs.stats_report_period` | PT3M for two sites | only changes how often statistics start again |
| `socket.ssl_compression` | no | Galera 26.4 does not have it |

## Network settings of hosts

Compared with what a user pastes on the page **Configuration**; nothing is stored, and no host is asked. A setting that
the text lacks is unknown and gives no advice. The profile is the one above.

| setting | one site | two sites | why | measured effect | source |
|---|---|---|---|---|---|
{host_settings}

A greater number is as good, except for the settings with the value 0. `-` keeps what the host has.

Left out, with the reason:

| setting | why not |
|---|---|
{host_settings_left_out}
| `net.ipv4.tcp_congestion_control` = htcp | not measured here; bbr and cubic were |

## The rules
"""


def written() -> str:
    """The page as it must be."""
    head = HEAD.format(
        profile="\n".join(_profile()),
        host_settings="\n".join(_host_setting(one) for one in RECOMMENDED),
        host_settings_left_out="\n".join(f"| `{one.name}` | {one.why} |" for one in NOT_ADVISED),
    )
    contents = "\n".join(f"- [{subject}](#{_anchor(subject)})" for subject in SUBJECTS)
    return "\n".join([head, contents, "", *(_section(*subject) for subject in SUBJECTS.items())])


def _profile() -> list[str]:
    found: dict[str, list[str]] = {}
    for column, layout in enumerate(LAYOUTS):
        for value in PROFILES[layout]:
            column_values = found.setdefault(
                value.name, ["as it is", "as it is", value.why, value.effect, value.source]
            )
            column_values[column] = value.value
    return [f"| `{name}` | {' | '.join(column_values)} |" for name, column_values in sorted(found.items())]


def _host_setting(one: HostSetting) -> str:
    first = "- - " if one.form is Form.LEAST_OF_THREE else ""
    at = [first + one.wanted[layout] if layout in one.wanted else "as it is" for layout in LAYOUTS]
    return f"| {' | '.join((f'`{one.name}`', *at, one.why, one.effect, one.source))} |"


def _anchor(heading: str) -> str:
    """As GitHub makes it of a heading."""
    return "".join(char for char in heading.lower().replace(" ", "-") if char.isalnum() or char in "-_")


def _section(subject: str, entries: Sequence[AdviceEntry]) -> str:
    return "\n".join([f"## {subject}", "", *(line for entry in entries for line in _lines(entry))])


def _lines(entry: AdviceEntry) -> Iterator[str]:
    yield f'<a id="{entry.code}"></a>'
    yield ""
    yield f"### {entry.title}: `{entry.code}`"
    yield ""
    yield _note(entry)
    yield ""
    yield f"- **What happened**: {entry.what_happened}"
    yield f"- **What it means**: {entry.what_it_means}"
    yield f"- **What to do**: {entry.what_to_do}"
    yield ""


def _note(entry: AdviceEntry) -> str:
    measured = "measured" if entry.is_measured else "not measured here"
    return f"Risk: {entry.risk.value}. Effect: {measured}. Evidence: {entry.evidence}"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
