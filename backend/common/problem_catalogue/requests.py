"""Requests that Hawser cannot read or does not accept as sent."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="validation_failed",
        statuses=(400,),
        title="Invalid request",
        what_happened="A field or query parameter of the request is missing, unknown or not valid.",
        what_it_means="Nothing was stored or sent to a server. `errors` names each field and the reason.",
        what_to_do="Correct the named fields and send the request again.",
    ),
    ProblemEntry(
        code="malformed_json",
        statuses=(400,),
        title="Invalid JSON",
        what_happened="The body of the request is not a JSON object that Hawser accepts.",
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Send one JSON object in UTF-8. `detail` says what is wrong in it.",
    ),
    ProblemEntry(
        code="body_too_large",
        statuses=(413,),
        title="Request too large",
        what_happened="The body of the request is larger than 1 MiB.",
        what_it_means="The body was not read to its end. Nothing was stored or sent to a server.",
        what_to_do="Send at most 1 MiB in one request. Split a long list over several requests.",
    ),
    ProblemEntry(
        code="body_too_slow",
        statuses=(408,),
        title="Request too slow",
        what_happened=(
            "The body of the request did not arrive within the limit (`HAWSER_BODY_LIMIT_S`, 30 s by default)."
        ),
        what_it_means="The connection was closed. Nothing was stored or sent to a server.",
        what_to_do="Check the network and the proxy between you and Hawser, then send the request again.",
    ),
    ProblemEntry(
        code="bad_request",
        statuses=(400,),
        title="Request not acceptable",
        what_happened="The host name or a header of the request is not valid.",
        what_it_means="The request was refused before its body was read. Nothing was stored or sent to a server.",
        what_to_do="Use an address that `HAWSER_ALLOWED_HOSTS` lists, and check the headers that your proxy sets.",
    ),
    ProblemEntry(
        code="not_found",
        statuses=(404,),
        title="Not found",
        what_happened="Nothing exists at this address, or the named object does not exist.",
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Check the address and the id. List the objects to find the right id.",
    ),
    ProblemEntry(
        code="method_not_allowed",
        statuses=(405,),
        title="Method not allowed",
        what_happened="The address exists but does not support this HTTP method.",
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Look up the methods of this address in the API description (`/api/v1/schema`).",
    ),
    ProblemEntry(
        code="not_acceptable",
        statuses=(406,),
        title="Answer format not available",
        what_happened="The `Accept` header names a format that this address does not produce.",
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Send `Accept: application/json`, or leave the header out.",
    ),
    ProblemEntry(
        code="unsupported_media_type",
        statuses=(415,),
        title="Request format not supported",
        what_happened="The body of the request is not of a type that this address reads.",
        what_it_means="The body was not read. Nothing was stored or sent to a server.",
        what_to_do="Send JSON with `Content-Type: application/json`.",
    ),
    ProblemEntry(
        code="idempotency_key_reused",
        statuses=(422,),
        title="Idempotency key reused",
        what_happened="The `Idempotency-Key` belongs to an earlier request with other content.",
        what_it_means="This request was not carried out. The earlier request and its answer are unchanged.",
        what_to_do="Send the request with a new key. Use a random UUID for each new action.",
    ),
    ProblemEntry(
        code="idempotency_in_progress",
        statuses=(409,),
        title="First request still running",
        what_happened="The first request with this `Idempotency-Key` has not been answered yet.",
        what_it_means="This request did nothing. The first request may still start what it asked for.",
        what_to_do="Wait a few seconds, then send the same request with the same key again.",
    ),
    ProblemEntry(
        code="throttled",
        statuses=(429,),
        title="Too many requests",
        what_happened=(
            "You sent more requests in a minute than one user may (`HAWSER_CALLS_PER_MINUTE`), or your address more "
            "without a sign-in (`HAWSER_ANONYMOUS_CALLS_PER_MINUTE`)."
        ),
        what_it_means="This request was not carried out. Nothing was stored or sent to a server.",
        what_to_do="Wait for the seconds that `Retry-After` names, then send the request again.",
    ),
    ProblemEntry(
        code="too_many_calls",
        statuses=(429,),
        title="Too many slow requests",
        what_happened="Too many plans, orphan scans or webhook tests run at once, in total or for you.",
        what_it_means="This request was not carried out. The requests that already run are not affected.",
        what_to_do=(
            "Wait until one of them has ended. The limits are `HAWSER_SLOW_CALLS` and `HAWSER_SLOW_CALLS_PER_CALLER`."
        ),
    ),
    ProblemEntry(
        code="too_many_streams",
        statuses=(429,),
        title="Too many event streams",
        what_happened="You have as many open event streams as one user may have (`HAWSER_STREAMS_PER_CALLER`).",
        what_it_means="The new stream was not opened. The open streams continue.",
        what_to_do="Close browser tabs or clients that you do not need, then try again.",
    ),
)
