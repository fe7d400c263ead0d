"""Settings that limit callers: how often, how long, how many at a time."""

from __future__ import annotations

from typing import Final

from backend.config.setting_kinds import Number, Setting

LIMITS: Final = (
    Setting(
        "HAWSER_LOGIN_LIMIT",
        Number(1, 1000, whole=True),
        "10",
        "failed sign-ins of a name from one address within the window; ten times as many for all names of an address",
    ),
    Setting("HAWSER_LOGIN_WINDOW_S", Number(10, 86400, whole=True), "900", "seconds of that window"),
    Setting(
        "HAWSER_LOGIN_DELAY_MAX_S",
        Number(0, 30),
        "2",
        "longest delay in seconds of a sign-in while its name is under attack from many addresses",
    ),
    Setting(
        "HAWSER_PASSWORD_HASHES",
        Number(1, 64, whole=True),
        "2",
        "passwords that a web process hashes at a time, 19 MiB each",
    ),
    Setting(
        "HAWSER_BODY_LIMIT_S",
        Number(1, 3600),
        "30",
        "seconds in which the head of a request, and then its body, up to 1 MiB, must arrive",
    ),
    Setting(
        "HAWSER_CONNECTIONS",
        Number(50, 50_000, whole=True),
        "2000",
        "connections of a web process, which needs as many open files (`LimitNOFILE`) and 100 more; beyond it the one "
        "that has been idle for longest is closed",
    ),
    Setting(
        "HAWSER_CONNECTIONS_PER_ADDRESS",
        Number(10, 50_000, whole=True),
        "200",
        "those of one address, of IPv6 one /64; behind a proxy (`HAWSER_BEHIND_PROXY`) that is the proxy's part",
    ),
    Setting(
        "HAWSER_CALLS_PER_MINUTE",
        Number(60, 1_000_000, whole=True),
        "3000",
        "calls of one user in a minute, in a web process",
    ),
    Setting(
        "HAWSER_ANONYMOUS_CALLS_PER_MINUTE",
        Number(10, 1_000_000, whole=True),
        "600",
        "the same for an address without a sign-in, or with a wrong token",
    ),
    Setting(
        "HAWSER_SLOW_CALLS",
        Number(1, 39, whole=True),
        "20",
        "calls that wait for other machines (plans, scans, registrations) at a time in a web process of 40 threads",
    ),
    Setting(
        "HAWSER_SLOW_CALLS_PER_CALLER",
        Number(1, 39, whole=True),
        "8",
        "the same for one caller; and the starts and approvals of all callers, which are counted apart",
    ),
    Setting(
        "HAWSER_STREAMS_PER_CALLER",
        Number(1, 1000, whole=True),
        "10",
        "event streams of one caller at a time in a web process",
    ),
    Setting("HAWSER_STREAM_POLL_S", Number(0.05, 10), "0.4", "seconds between two queries for new events"),
    Setting(
        "HAWSER_STREAM_MAX_S",
        Number(10, 86400),
        "900",
        "seconds after which an event stream ends and a browser opens a new one",
    ),
    Setting(
        "HAWSER_SECOND_PERSON_WAIT_H",
        Number(0, 720),
        "24",
        "hours until a new or changed approver counts as a second person, or the approval rule ends, "
        "if no second administrator confirms it",
    ),
    Setting(
        "HAWSER_APPROVALS_NEEDED",
        Number(1, 5, whole=True),
        "1",
        "different persons who must approve a run of a link that needs approval and has no number of its own",
    ),
    Setting("HAWSER_APPROVAL_WAIT_S", Number(60, 86400), "3600", "seconds that a run waits for its approval"),
    Setting(
        "HAWSER_APPROVAL_REUSE_S",
        Number(0, 86400),
        "3600",
        "seconds after its approval in which a stopped run can be resumed without another one",
    ),
    Setting(
        "HAWSER_EXCEPTION_S",
        Number(60, 86400),
        "900",
        "seconds in which a run that was started without a second person must begin",
    ),
    Setting(
        "HAWSER_TOKEN_DAYS",
        Number(1, 3650, whole=True),
        "90",
        "days after which a token expires, unless it has its own time",
    ),
    Setting("HAWSER_TOKEN_MAX_DAYS", Number(1, 3650, whole=True), "365", "longest time in days that a token can have"),
    Setting("HAWSER_SESSION_IDLE_S", Number(60, 43200), "3600", "seconds after which an unused session ends"),
)
