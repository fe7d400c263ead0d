"""The texts of the OpenAPI schema that belong to no single operation."""

from __future__ import annotations

OPENAPI_DESCRIPTION = """\
Disaster-recovery failover between Galera clusters that are linked by asynchronous replication.

## Authentication

Send `Authorization: Bearer TOKEN` with an API token, or sign in with `POST /api/v1/session` and keep the cookie.
With a cookie, unsafe calls also need the header `X-CSRFToken` with the value of the cookie `csrftoken`.
Roles, each with the privileges of the ones before it: `viewer`, `operator`, `approver`, `admin`. An `auditor` reads
everything and changes nothing. A user with the role `none` has only the roles that were assigned for an environment,
a cluster or a link; whatever these do not cover is answered like something that does not exist.
A token has at most the role of its owner, and less if it is limited to permissions, links or addresses.

## Errors

Errors are problems by RFC 9457, as `application/problem+json`. Decide by `code`; `detail` says what to do.
`errors` names the fields at fault, and `request_id` identifies the call in the server logs and in the audit log.
Every operation can return `validation_failed`, `malformed_json`, `body_too_large`, `body_too_slow`,
`not_authenticated`, `authentication_failed`, `csrf_failed`, `forbidden`, `not_found`, `internal_error` and
`console_database_unavailable`. An operation lists the codes that it can return besides these.

## Paging

Lists are `{"results": […], "next": cursor}`. Pass `next` unchanged as `cursor` to get the following page;
`null` means that there is none. `limit` sets the size of a page.

## Idempotency

Send `Idempotency-Key` with an unsafe call and repeat the call with the same key if the response was lost.
You get the first response again, with `Idempotency-Replayed: true`, and nothing is done twice.
Keys are kept for 24 hours. A call whose first call is in progress returns `idempotency_in_progress`;
the same key with another body returns `idempotency_key_reused`.
Operations whose responses can hold a secret ignore the key.

## Events

Event streams are Server-Sent Events. `Last-Event-ID` resumes a stream after an event; without it a stream starts now.
An event says that a link or a run changed; read it again for its state. A `heartbeat` comes every 10 seconds.
A stream ends after 15 minutes; connect again.

Times are RFC 3339 in UTC. `null` means unknown, unless a field says otherwise.
"""

OPENAPI_TAGS = [
    {"name": "audit", "description": "The audit log: records of who did what, in a chain that shows changes."},
    {"name": "change-calendar", "description": "Change windows and freezes, and what they allow a link now."},
    {"name": "change-freezes", "description": "Times in which no planned operation starts."},
    {"name": "change-windows", "description": "Times in which planned operations may start."},
    {"name": "clusters", "description": "Galera clusters with their nodes and accounts."},
    {"name": "concurrency", "description": "What a distance between sites costs a commit, computed."},
    {
        "name": "destinations",
        "description": "Services that are notified of events: e-mail, Slack, Teams, PagerDuty, Opsgenie.",
    },
    {"name": "declarations", "description": "A YAML document that declares clusters and links, compared and applied."},
    {"name": "events", "description": "The stream of all events."},
    {"name": "explanations", "description": "What a finding or a problem means, and how to remedy it."},
    {"name": "fleet", "description": "All links as rows, with what needs a person."},
    {"name": "history", "description": "The history: runs told in sentences, with the topology before and after."},
    {"name": "hooks", "description": "Webhooks, which are called before, during and after runs, and for events."},
    {"name": "incidents", "description": "Incidents: the operations on all links that a lost site or node touches."},
    {"name": "lab", "description": "The lab of the demo. Outside of a demo these operations return 404."},
    {
        "name": "links",
        "description": "Links: pairs of clusters with a channel in each direction.",
    },
    {"name": "advice-dismissals", "description": "Dismissals of advice on clusters and links."},
    {"name": "node-maintenances", "description": "The end of a node maintenance, which a plan prepared."},
    {"name": "network-probe", "description": "The script that measures the network between two sites."},
    {"name": "network-results", "description": "Results that database hosts send with a probe token."},
    {"name": "nodes", "description": "Single nodes of a cluster."},
    {"name": "plans", "description": "Plans: immutable lists of steps, with proven positions and the data loss."},
    {"name": "protected-changes", "description": "Changes that need a second administrator or a waiting time."},
    {"name": "push", "description": "Web Push: notifications for the browsers of the current user."},
    {
        "name": "registrations",
        "description": "Guided registrations: from host names and an administrator's account to a link, in steps.",
    },
    {
        "name": "table-comparisons",
        "description": "Table comparisons: rows of both sides, compared while they are written.",
    },
    {"name": "rehearsals", "description": "Rehearsals: an operation planned and checked without writing."},
    {"name": "runs", "description": "Runs: the execution of a plan, with its steps and statements."},
    {"name": "service", "description": "Liveness, readiness and metrics of Hawser itself."},
    {"name": "session", "description": "Sign-in, sign-out and the current user."},
    {"name": "sign-in", "description": "Sign-in and sign-out by an OpenID Connect provider."},
    {"name": "sessions", "description": "The active sessions of the current user."},
    {"name": "tokens", "description": "The API tokens of the current user."},
    {"name": "account", "description": "How the page shows times, density and colours to the current user."},
    {"name": "roles", "description": "The fixed roles and what each of them may do."},
    {"name": "role-assignments", "description": "Roles of users and teams for an environment, a cluster or a link."},
    {"name": "teams", "description": "Teams: users who get the roles that are assigned to the team."},
    {"name": "environments", "description": "The environments of links and clusters, for example production."},
    {"name": "users", "description": "Users with their roles, sessions and tokens; service accounts."},
    {"name": "waiting", "description": "Everything that is waiting for a second person."},
]
