"""Spans for OpenTelemetry, where HAWSER_TRACES_ENDPOINT names a collector. Without it nothing is imported or measured.

A span holds ids, kinds and outcomes. It never holds statements, addresses of nodes, or what a server said.
All spans of a run have one trace, whose id follows from the run's id: also those of a worker that took it over.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from django.conf import settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Attributes = Mapping[str, str | int | bool]
EXPORT_EVERY_MS: Final = 1000
"""A worker that is killed loses at most what it did since."""
EXPORT_LIMIT_MS: Final = 5000

log = structlog.get_logger(__name__)
_wanted_trace: ContextVar[int] = ContextVar("wanted_trace", default=0)
_tracers: dict[int, Tracer | None] = {}
"""By process: a fork does not take the exporter's thread along."""


class Span(Protocol):
    """What the console does with a span."""

    def set_attribute(self, key: str, value: str | int | bool) -> None:
        """Add a fact that its beginning did not have."""

    def end(self) -> None:
        """End it now."""


class _NoSpan:
    def set_attribute(self, key: str, value: str | int | bool) -> None:
        pass

    def end(self) -> None:
        pass


NO_SPAN: Final[Span] = _NoSpan()


def trace_id_of(run_id: str) -> str:
    """The trace in which all spans of a run are, as 32 hexadecimal digits."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:32]


def begin(name: str, attributes: Attributes) -> Span:
    """A span below the current one; the caller ends it."""
    tracer = _tracer()
    return tracer.start_span(name, attributes=attributes) if tracer else NO_SPAN


@contextmanager
def span(
    name: str, attributes: Attributes, *, run_id: str = "", caller: Mapping[str, str] | None = None
) -> Iterator[Span]:
    """The current span of a block. `run_id`: the first one of a run's trace. `caller`: headers of a request.

    An exception is named by its type alone, since its text may quote a server.
    """
    tracer = _tracer()
    if tracer is None:
        yield NO_SPAN
        return
    token = _wanted_trace.set(int(trace_id_of(run_id), 16) if run_id else 0)
    try:
        with tracer.start_as_current_span(
            name, _context_of(caller), attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as current:
            _wanted_trace.set(0)
            try:
                yield current
            except BaseException as error:
                current.set_attribute("error.type", type(error).__name__)
                raise
    finally:
        _wanted_trace.reset(token)


def add_trace_id(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Processor of the log: lines of a block that has a span name its trace."""
    if settings.HAWSER_TRACES_ENDPOINT:
        from opentelemetry import trace

        context = trace.get_current_span().get_span_context()
        if context.is_valid:
            event["trace_id"] = f"{context.trace_id:032x}"
    return event


def _context_of(caller: Mapping[str, str] | None) -> Any:
    """The caller's own trace, if it sent the header of the W3C."""
    if not caller:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract(dict(caller))


def _tracer() -> Tracer | None:
    if not settings.HAWSER_TRACES_ENDPOINT:
        return None
    if os.getpid() not in _tracers:
        try:
            _tracers[os.getpid()] = _connected_tracer(settings.HAWSER_TRACES_ENDPOINT)
        except Exception:  # a run never fails for a trace of it
            log.exception("tracing.disabled")
            _tracers[os.getpid()] = None
    return _tracers[os.getpid()]


def _connected_tracer(endpoint: str) -> Tracer:
    """The exporter sends from a thread of its own and drops what a collector does not take: nothing waits for it."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class RunTraces(RandomIdGenerator):
        """Random ids, but for the first span of a run."""

        def generate_trace_id(self) -> int:
            return _wanted_trace.get() or super().generate_trace_id()

    process = os.environ.get("HAWSER_PROCESS", "command")
    resource = Resource.create({"service.name": f"hawser-{process}"})
    provider = TracerProvider(resource=resource, id_generator=RunTraces())
    exporter = OTLPSpanExporter(endpoint=endpoint, timeout=EXPORT_LIMIT_MS / 1000)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=EXPORT_EVERY_MS))
    return provider.get_tracer("hawser")
