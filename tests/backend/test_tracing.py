"""Traces: what a collector on this machine receives of requests, plans and runs, and what it costs without one."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from backend.common import tracing
from backend.config.setting_checks import check_traces_endpoint
from backend.operations.runs.execution.driver import drive
from backend.operations.runs.models import Run
from deploy.services.process import ROOT
from tests.backend.execution.swapping_run import page, run
from tests.support.waiting import wait_for
from tests.support.webhook_receiver import Receiver, receiving

__all__ = ["page", "run"]
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass(frozen=True)
class Received:
    """A span as the collector has it."""

    name: str
    trace_id: str
    parent_id: str
    span_id: str
    attributes: dict[str, Any]


class Collector:
    """Reads what the receiver was sent."""

    def __init__(self, receiver: Receiver) -> None:
        self.receiver = receiver

    def spans(self) -> list[Received]:
        """All that arrived so far."""
        return [found for call in self.receiver.calls for found in _spans(call.headers, call.body)]

    def wait(self, wanted: Callable[[Received], bool]) -> Received:
        """The first span like that; AssertionError after ten seconds."""
        found: Received = wait_for(lambda: next(filter(wanted, self.spans()), None), "the span", 10, 0.05)
        return found


def _spans(headers: dict[str, str], body: bytes) -> Iterator[Received]:
    text = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
    for group in ExportTraceServiceRequest.FromString(text).resource_spans:
        for scope in group.scope_spans:
            for span in scope.spans:
                values = {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}
                ids = span.trace_id.hex(), span.parent_span_id.hex(), span.span_id.hex()
                yield Received(span.name, *ids, values)


@pytest.fixture
def collector(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector, and a process that has sent nothing yet."""
    monkeypatch.setattr(tracing, "_tracers", {})
    monkeypatch.setattr(tracing, "EXPORT_EVERY_MS", 50)
    with receiving() as receiver:
        settings.HAWSER_TRACES_ENDPOINT = f"{receiver.url}/v1/traces"
        yield Collector(receiver)


def test_request__with_the_header_of_a_trace__is_a_span_in_it(collector: Collector, client: Client, db: None) -> None:
    client.get("/api/v1/links/l_none", headers={"traceparent": CALLER, "X-Request-ID": "request-of-this-test"})
    span = collector.wait(lambda span: span.attributes.get("hawser.request_id") == "request-of-this-test")
    assert span.name == "GET"
    assert (span.trace_id, span.parent_id) == tuple(CALLER.split("-")[1:3])
    assert span.attributes["http.route"] == "/api/v1/links/<str:link_id>"
    assert span.attributes["http.response.status_code"] == 401


def test_run__driven_by_a_worker__is_one_trace_that_its_id_names(collector: Collector, run: Run) -> None:
    drive(run.pk)
    whole = collector.wait(lambda span: span.name == f"run {run.kind}")
    step = collector.wait(lambda span: span.name == "step swap_roles")
    assert whole.trace_id == step.trace_id == tracing.trace_id_of(run.pk)
    assert (whole.parent_id, step.parent_id) == ("", whole.span_id)
    assert whole.attributes["hawser.run_id"] == run.pk
    assert step.attributes["hawser.step.state"] == "succeeded"


def test_exception__inside_a_span__is_named_by_its_type_alone(collector: Collector) -> None:
    with pytest.raises(ValueError, match="secret"), tracing.span("plan relocate", {}):
        raise ValueError("the server said: password is secret")
    span = collector.wait(lambda span: span.name == "plan relocate")
    assert span.attributes == {"error.type": "ValueError"}
    assert "secret" not in str(collector.receiver.calls[0].body)


def test_collector__that_does_not_answer__holds_nothing_up(collector: Collector, run: Run) -> None:
    collector.receiver.released.clear()
    tracing.begin("before the run", {}).end()
    wait_for(lambda: collector.receiver.calls, "a call that gets no answer", 10, 0.05)
    drive(run.pk)
    assert Run.objects.get(pk=run.pk).state == "succeeded"
    assert collector.receiver.answered == 0


def test_tracer__that_cannot_be_made__does_not_end_a_run(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def broken(endpoint: str) -> None:
        raise RuntimeError(endpoint)

    monkeypatch.setattr(tracing, "_tracers", {})
    monkeypatch.setattr(tracing, "_connected_tracer", broken)
    settings.HAWSER_TRACES_ENDPOINT = "http://127.0.0.1:9/v1/traces"
    drive(run.pk)
    assert Run.objects.get(pk=run.pk).state == "succeeded"


def test_log__inside_a_span__names_the_trace(collector: Collector) -> None:
    with tracing.span("run relocate", {}, run_id="r_1"):
        assert tracing.add_trace_id(None, "info", {})["trace_id"] == tracing.trace_id_of("r_1")
    assert tracing.add_trace_id(None, "info", {}) == {}


def test_console__without_an_endpoint__imports_nothing_for_traces() -> None:
    script = (
        "import django, sys; django.setup(); import backend.config.asgi, backend.operations.runs.execution.driver\n"
        "from backend.common import tracing\n"
        "with tracing.span('GET', {}): tracing.begin('step', {}).end()\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "text", ["collector:4318", "https://collector.example.net:4318", "https://u:p@collector.example.net/v1/traces"]
)
def test_endpoint__that_is_no_whole_address__refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"/v1/traces|OTEL_EXPORTER_OTLP_HEADERS"):
        check_traces_endpoint(text)
