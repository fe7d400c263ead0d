"""Browsers that are signed in by a password, each with a cookie and calls side by side, through the proxy."""

from __future__ import annotations

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, HTTPSHandler, Request, build_opener

from tests.ha.client import PASSING, unverified

PAUSE_S = 0.1


@dataclass
class Browser:
    """One sign-in. Calls that a starting web process does not answer are made again; all other answers are counted."""

    port: int
    statuses: dict[int, int] = field(default_factory=dict)
    retries: int = 0

    def __post_init__(self) -> None:
        """A cookie jar of its own, which its threads share."""
        self._jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._jar), HTTPSHandler(context=unverified()))
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._threads: list[threading.Thread] = []

    def sign_in(self, username: str, password: str) -> int:
        """The sign-in form; returns its status."""
        self._once("GET")
        return self._once("POST", {"username": username, "password": password})

    def session(self) -> int:
        """Whether it is still signed in: 200, or 401."""
        for _ in range(200):
            status = self._once("GET")
            if status not in PASSING and status != 0:
                return status
            self.retries += 1
            time.sleep(PAUSE_S)
        return 0

    def start(self, threads: int) -> None:
        """Calls back to back until `stop`."""
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End them."""
        self._stop.set()
        for thread in self._threads:
            thread.join(30)

    def _run(self) -> None:
        while not self._stop.wait(PAUSE_S):
            status = self.session()
            with self._lock:
                self.statuses[status] = self.statuses.get(status, 0) + 1

    def _token(self) -> str:
        return next((str(cookie.value) for cookie in self._jar if cookie.name == "csrftoken"), "")

    def _once(self, method: str, body: dict[str, str] | None = None) -> int:
        base = f"https://127.0.0.1:{self.port}"
        headers = {"Content-Type": "application/json", "Referer": f"{base}/"}
        headers |= {"X-CSRFToken": self._token()}
        data = None if body is None else json.dumps(body).encode()
        try:
            with self._opener.open(Request(f"{base}/api/v1/session", data, headers, method=method), timeout=20) as made:  # noqa: S310 - loopback
                return int(made.status)
        except HTTPError as error:
            return error.code
        except (OSError, http.client.HTTPException):
            return 0
