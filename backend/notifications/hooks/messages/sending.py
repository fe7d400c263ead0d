"""Sends one notification to a destination: opened, composed, held to the rules for addresses, and sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings

from backend.common.outgoing.http_client import Reply, post
from backend.common.outgoing.url_policy import TargetError, parse
from backend.common.sealing import SealError
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.addresses import api_host
from backend.notifications.hooks.messages.message import Message, message_of
from backend.notifications.hooks.messages.sealed_fields import open_fields, without_secrets
from backend.notifications.hooks.models import Hook


def send_message(hook: Hook, payload: Mapping[str, Any], *, timeout_s: float) -> Reply:
    """One attempt; never raises for the receiver's fault. What the receiver said is freed of secrets."""
    try:
        fields = open_fields(hook)
    except SealError as error:
        return Reply(None, 0.0, error=str(error))
    service, message = HookService(hook.service), message_of(payload)
    send = _send_mail if service is HookService.EMAIL else _call
    reply = send(service, fields, message, timeout_s)
    answer, error_text = without_secrets(reply.answer, fields), without_secrets(reply.error, fields)
    return replace(reply, answer=answer, error=error_text.rstrip("."))


def _send_mail(service: HookService, fields: Mapping[str, Any], message: Message, timeout_s: float) -> Reply:
    # Here, because it imports Apprise: no web process sends.
    from backend.notifications.hooks.messages.mail import send_mail

    return send_mail(fields, message, timeout_s=timeout_s)


def _call(service: HookService, fields: Mapping[str, Any], message: Message, timeout_s: float) -> Reply:
    # Here, because it imports Apprise: no web process sends.
    from backend.notifications.hooks.messages.composing import ComposingError, compose

    try:
        call = compose(service, fields, message)
        _check_host(call.url, api_host(service, fields))
    except (ComposingError, TargetError) as error:
        return Reply(None, 0.0, error=str(error))
    headers = {**call.headers, "User-Agent": f"Hawser/{settings.HAWSER_VERSION}"}
    return post(call.url, call.body, headers, timeout_s=timeout_s)


def _check_host(url: str, expected: str) -> None:
    """A new version of Apprise may call another host; no key goes there unseen."""
    target = parse(url)
    if not target.is_tls or target.host != expected:
        raise TargetError(f"Apprise would call another host than {expected}; nothing was sent")
