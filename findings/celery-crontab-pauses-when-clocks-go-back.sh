#!/usr/bin/env bash
# Celery 5.7.0, CPython 3.11: with `timezone` set to a zone with summer time, a crontab of every ten minutes is expected
# to be due every ten minutes all year round; the hour that comes twice could at worst make it due too often. In the
# night in which the clocks go back it is not due for 70 minutes: beat waits until the wall clock shows a later time
# than that of the last run, so the hour is passed over when it comes again. In spring nothing is missed, and an
# interval of the same length has no gap, nor has the crontab in UTC.
# Seen in the night of 24 to 25 October 2026, 8 hours asked of beat's own entry: 10 minutes at most in UTC; 70 in
# Europe/Berlin, from 02:50+02:00 to 03:00+01:00; 10 with `schedule(600)` there; 10 in the spring night there.
set -euo pipefail
version=5.7.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "celery==$version" "tzdata==2025.2"

cat >probe.py <<'PYTHON'
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

from celery import Celery
from celery.beat import ScheduleEntry
from celery.schedules import crontab, schedule


def longest_gap(zone, start, make):
    """Asks beat's entry as beat does for 8 hours: how long it was not due at most, and from when to when."""
    app, local = Celery("probe"), ZoneInfo(zone)
    app.conf.timezone = zone
    now, runs = start, []
    entry = ScheduleEntry(
        name="poll", task="poll", app=app, last_run_at=start.astimezone(local),
        schedule=make(app=app, nowfun=lambda: now.astimezone(local)),
    )
    while now < start + timedelta(hours=8):
        due, wait = entry.is_due()
        if due:
            runs.append(now)
            entry = entry.next(last_run_at=now.astimezone(local))
        now += timedelta(seconds=min(max(wait, 1), 300))
    before, after = max(pairwise(runs), key=lambda pair: pair[1] - pair[0])
    minutes = (after - before).total_seconds() / 60
    return f"{minutes:.0f} minutes" + (
        f", {before.astimezone(local):%H:%M%z} to {after.astimezone(local):%H:%M%z}" if minutes > 15 else ""
    )


def every_ten_by_crontab(**options):
    return crontab(minute="*/10", **options)


def every_ten_by_interval(**options):
    return schedule(timedelta(minutes=10), **options)


AUTUMN = datetime(2026, 10, 24, 22, tzinfo=timezone.utc)
SPRING = datetime(2026, 3, 28, 22, tzinfo=timezone.utc)
print("autumn, UTC, crontab:", longest_gap("UTC", AUTUMN, every_ten_by_crontab))
print("autumn, Europe/Berlin, crontab:", longest_gap("Europe/Berlin", AUTUMN, every_ten_by_crontab))
print("autumn, Europe/Berlin, interval:", longest_gap("Europe/Berlin", AUTUMN, every_ten_by_interval))
print("spring, Europe/Berlin, crontab:", longest_gap("Europe/Berlin", SPRING, every_ten_by_crontab))
PYTHON
echo "celery $version"
env/bin/python probe.py | tee seen
diff -q seen - >/dev/null <<'SEEN' || { echo "the behaviour has changed"; exit 1; }
autumn, UTC, crontab: 10 minutes
autumn, Europe/Berlin, crontab: 70 minutes, 02:50+0200 to 03:00+0100
autumn, Europe/Berlin, interval: 10 minutes
spring, Europe/Berlin, crontab: 10 minutes
SEEN
