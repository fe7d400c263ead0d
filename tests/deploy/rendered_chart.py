"""The objects that helm made of the chart."""

from __future__ import annotations

from functools import cache

import yaml

from deploy.helm import render
from tests.deploy.helm_rules import Object


@cache
def objects(variant: str) -> list[Object]:
    """Every object of one file of values."""
    return [one for one in yaml.safe_load_all((render.RENDERED / f"{variant}.yaml").read_text()) if one]


def by_kind(variant: str, kind: str) -> list[Object]:
    """The objects of a kind."""
    return [one for one in objects(variant) if one["kind"] == kind]
