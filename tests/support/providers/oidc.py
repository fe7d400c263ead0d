"""Runs oidc-provider, and goes through its pages as a browser does."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, parse_qsl, urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from deploy.services.net import free_port

HERE = Path(__file__).parent
CONSOLE = "http://console.invalid"
CLIENT_ID, SECRET = "hawser", "a secret of the tests"
USERS = {
    "s-anna": {"preferred_username": "anna", "email": "anna@example.net", "groups": ["dba", "staff"]},
    "s-lead": {"preferred_username": "lead", "email": "lead@example.net", "groups": ["dba", "dba-leads"]},
    "s-guest": {"preferred_username": "guest", "email": "guest@example.net", "groups": ["staff"]},
}


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass
class Provider:
    """The running provider; `logout_tokens` are those that it sent by the back channel."""

    issuer: str
    logout_tokens: list[str] = field(default_factory=list)

    def control(self, action: str, **given: Any) -> None:
        """Change users or keys."""
        open_url(build_opener(), f"{self.issuer}/control/{action}", json.dumps(given).encode())

    def browser(self) -> Browser:
        """A browser without cookies."""
        return Browser(self)


class Browser:
    """Follows the provider's redirects up to the console's callback."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        # As in browsers, to which loopback is as good as https: Keycloak's cookies are all secure.
        cookies = CookieJar(DefaultCookiePolicy(secure_protocols=("http", "https")))
        self.opener = build_opener(HTTPCookieProcessor(cookies), _NoRedirect())

    def sign_in(self, url: str, login: str) -> dict[str, str]:
        """The query with which the provider sends back to the console."""
        for _ in range(12):
            if url.startswith(CONSOLE):
                return dict(parse_qsl(urlsplit(url).query))
            status, headers, body = open_url(self.opener, url)
            if status == 200 and "<form" in body:
                status, headers, body = self.form(url, body, login)
            assert status in (302, 303), (status, body)
            url = urljoin(url, headers["Location"])
        raise AssertionError("the provider redirects for ever")

    def form(self, url: str, page: str, login: str) -> tuple[int, Any, str]:
        """Send the provider's form."""
        return open_url(self.opener, url, urlencode({"login": login}).encode())

    def end_session(self, url: str) -> str:
        """Sign out at the provider; where it sends the browser."""
        _, _, page = open_url(self.opener, url)
        secret = page.split('name="xsrf" value="')[1].split('"')[0]
        confirm = f"{self.provider.issuer}/session/end/confirm"
        _, headers, _ = open_url(self.opener, confirm, urlencode({"xsrf": secret, "logout": "yes"}).encode())
        return str(headers["Location"])


def open_url(opener: Any, url: str, data: bytes | None = None) -> tuple[int, Any, str]:
    """Status, headers and body, also of an error or redirect."""
    try:
        with opener.open(Request(url, data), timeout=20) as answer:  # noqa: S310 -- loopback
            return answer.status, answer.headers, answer.read().decode()
    except HTTPError as error:
        return error.code, error.headers, error.read().decode()


@contextmanager
def oidc_provider(console: str = CONSOLE, back_channel: str | None = None) -> Iterator[Provider]:
    """Running in the block. Without `back_channel` logout tokens are kept for the test to deliver."""
    with receiver() as (address, tokens):
        port = free_port()
        client = {
            "client_id": CLIENT_ID,
            "client_secret": SECRET,
            "redirect_uris": [f"{console}/sign-in/callback"],
            "post_logout_redirect_uris": [f"{console}/sign-in"],
            "grant_types": ["authorization_code", "refresh_token"],
            "backchannel_logout_uri": back_channel or address,
            "backchannel_logout_session_required": True,
        }
        command = ["node", str(HERE / "oidc.mjs"), str(port), json.dumps(client), json.dumps(USERS)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert child.stdout is not None
            assert "ready" in child.stdout.readline()
            yield Provider(f"http://127.0.0.1:{port}", tokens)
        finally:
            child.terminate()
            child.wait(60)
            child.stdout.close()


@contextmanager
def receiver() -> Iterator[tuple[str, list[str]]]:
    """Takes logout tokens; its address, and those that came."""
    tokens: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            tokens.append(parse_qs(form)["logout_token"][0])
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", tokens
    finally:
        server.shutdown()
        server.server_close()
