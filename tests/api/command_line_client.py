"""The command line client, with the console in this process behind its address."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from deploy.services.process import ROOT

FILE = ROOT / "deploy/client/hawser.py"
URL = "https://console.example"


def load_client() -> ModuleType:
    """The client, as the file that an installation has."""
    spec = importlib.util.spec_from_file_location("hawser_client", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hawser = load_client()


def send(method: str, url: str, headers: Mapping[str, str], data: bytes | None, *_: Any) -> tuple[int, Any]:
    """Call the console in this process."""
    assert url.startswith(f"{URL}/api/v1/")
    sent = {name: value for name, value in headers.items() if name != "Content-Type"}
    answer = Client().generic(
        method, url.removeprefix(URL), data or b"", content_type=headers.get("Content-Type", ""), headers=sent
    )
    return answer.status_code, hawser.parsed(answer.content)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its own settings folder, no console chosen, and the console in this process behind the address."""
    for name in ("HAWSER_URL", "HAWSER_TOKEN", "HAWSER_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(hawser, "send", send)
    monkeypatch.setattr(hawser, "FOLLOW_EVERY_S", 0)
    return tmp_path
