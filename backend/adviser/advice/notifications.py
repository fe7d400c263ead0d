"""Tells the links of advice of high risk that appears or is resolved, by an event each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from django.db.models import Q

from backend.adviser.advice.models import AdviceNotice
from backend.adviser.advice.selectors import running_dismissals
from backend.clusters.models import Link
from backend.clusters.selectors import attended_links
from backend.clusters.versions import links_joining
from backend.common.events import services as events
from backend.core.adviser.advice.dismissals import judged
from backend.core.adviser.advice.model import Advice, Risk
from backend.core.adviser.advice.notifications import Notice, Reported, Standing, judge
from backend.core.adviser.advice.registry import entry_of

Known = Mapping[str, AdviceNotice]
"""What was told of one cluster or link, by code."""


def reported_by_subject() -> Mapping[str, Known]:
    """In one query, because most clusters and links have nothing to be told."""
    found: dict[str, dict[str, AdviceNotice]] = defaultdict(dict)
    for row in AdviceNotice.objects.all():
        found[row.subject_id][row.code] = row
    return found


def report(
    subject_id: str, name: str, advice: Sequence[Advice], known: Known, *, is_whole: bool, now: datetime
) -> None:
    """Judge each code of high risk that is given or was told; nothing while all links are in maintenance."""
    given = [one for one in advice if one.entry.risk is Risk.HIGH]
    if not given and not known:
        return
    links = _links(subject_id)
    if not attended_links(now).filter(pk__in=[link.pk for link in links]).exists():
        return
    for code in sorted({one.code for one in given} | known.keys()):
        of_code = [one for one in given if one.code == code]
        found = judge(_reported(known.get(code)), _standing(subject_id, of_code, is_whole=is_whole, now=now), now)
        _keep(subject_id, code, known.get(code), found.reported)
        if found.notice is not None:
            _raise(links, name, code, found.notice, of_code)


def _links(subject_id: str) -> list[Link]:
    if subject_id.startswith("l_"):
        return list(Link.objects.filter(pk=subject_id))
    return list(links_joining([subject_id]))


def _reported(row: AdviceNotice | None) -> Reported:
    return Reported() if row is None else Reported(row.at, row.is_open, row.gone_since)


def _standing(subject_id: str, advice: Sequence[Advice], *, is_whole: bool, now: datetime) -> Standing:
    if not advice:
        return Standing.GONE if is_whole else Standing.UNKNOWN
    dismissals = running_dismissals(Q(cluster=subject_id) | Q(link=subject_id), now)
    is_open = any(one.dismissal is None for one in judged(advice, dismissals, now))
    return Standing.OPEN if is_open else Standing.DISMISSED


def _keep(subject_id: str, code: str, row: AdviceNotice | None, reported: Reported | None) -> None:
    if reported is None:
        AdviceNotice.objects.filter(subject_id=subject_id, code=code).delete()
    elif row is None:
        AdviceNotice.objects.create(subject_id=subject_id, code=code, **asdict(reported))
    elif reported != _reported(row):
        AdviceNotice.objects.filter(pk=row.pk).update(**asdict(reported))


def _raise(links: Sequence[Link], name: str, code: str, notice: Notice, advice: Sequence[Advice]) -> None:
    title, appeared = entry_of(code).title, notice is Notice.APPEARED
    message = f"{title} on {name}: {advice[0].fact}" if appeared else f"Resolved on {name}: {title}."
    for link in links:
        events.raised(
            link_id=link.pk,
            kind=f"advice.{notice.value}",
            severity="warning" if appeared else "ok",
            message=message,
            subject=f"{code} {name}",
        )
