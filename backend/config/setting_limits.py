"""Settings that bound what people and strangers may do: how often, how long, how many at once."""

from __future__ import annotations

from typing import Final

from backend.config.setting_kinds import Number, Setting

LIMITS: Final = (
    Setting(
        "HAWSER_LOGIN_LIMIT",
        Number(1, 1000, whole=True),
        "10",
        "failed sign-ins of a name from one address in the window; of one address with all names ten times as many",
    ),
    Setting("HAWSER_LOGIN_WINDOW_S", Number(10, 86400, whole=True), "900", "seconds in which they count"),
    Setting(
        "HAWSER_LOGIN_DELAY_MAX_S",
        Number(0, 30),
        "2",
        "seconds that a sign-in is answered later at most while its name is guessed at from many addresses",
    ),
    Setting(
        "HAWSER_PASSWORD_HASHES",
        Number(1, 64, whole=True),
        "2",
        "passwords that a web process hashes at once, 19 MiB each",
    ),
    Setting(
        "HAWSER_BODY_LIMIT_S",
        Number(1, 3600),
        "30",
        "seconds that a client may take to send a request's body of at most 1 MiB",
    ),
    Setting(
        "HAWSER_SLOW_CALLS",
        Number(1, 39, whole=True),
        "20",
        "plans, scans for orphans and tests of webhooks at once in a web process of 40 threads",
    ),
    Setting("HAWSER_SLOW_CALLS_PER_CALLER", Number(1, 39, whole=True), "8", "the same of one caller"),
    Setting(
        "HAWSER_STREAMS_PER_CALLER",
        Number(1, 1000, whole=True),
        "10",
        "event streams of one caller at once in a web process",
    ),
    Setting("HAWSER_STREAM_POLL_S", Number(0.05, 10), "0.4", "seconds between two queries of an open event stream"),
    Setting("HAWSER_STREAM_MAX_S", Number(10, 86400), "900", "seconds after which a browser opens its stream anew"),
    Setting(
        "HAWSER_SECOND_PERSON_WAIT_H",
        Number(0, 720),
        "24",
        "hours until a new or changed approver counts as a second person, or the approval rule ends, where no second "
        "administrator confirms it",
    ),
    Setting("HAWSER_APPROVAL_WAIT_S", Number(60, 86400), "3600", "seconds that a run waits for its approval"),
    Setting(
        "HAWSER_APPROVAL_REUSE_S",
        Number(0, 86400),
        "3600",
        "seconds after its approval in which a stopped run is resumed without another one",
    ),
    Setting(
        "HAWSER_EXCEPTION_S",
        Number(60, 86400),
        "900",
        "seconds in which a run begins that break glass let go without a second person",
    ),
    Setting("HAWSER_TOKEN_DAYS", Number(1, 3650, whole=True), "90", "days that a token lives unless it is said"),
    Setting("HAWSER_TOKEN_MAX_DAYS", Number(1, 3650, whole=True), "365", "days that a token lives at most"),
    Setting("HAWSER_SESSION_IDLE_S", Number(60, 43200), "3600", "seconds after which an unused session ends"),
)
