/** What can be read, by name. Live events only invalidate these; the poll is the fallback. */
import { queryOptions } from "@tanstack/react-query";
import { syncServerClock } from "@/lib/server-clock";
import { client, isUnauthenticated, unwrap } from "./client";
import { Problem } from "./problem";
import type { CurrentUser, Direction, ReadinessReport, Run, RunState } from "./types";

/** Facts age by the second: where no event came, ask again after this long. */
const LIVE_MS = 2000;
const SLOW_MS = 15_000;
/** A connection may stand with nobody at its other end: what is asked again and again is given up after this long. */
const READ_LIMIT_MS = 15_000;

/** The signal of a read that is asked for anew anyhow. */
const withTimeout = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(READ_LIMIT_MS)]);

async function readSession(signal: AbortSignal): Promise<CurrentUser | null> {
  const sent = Date.now();
  try {
    const me = await unwrap(client.GET("/api/v1/session", { signal }));
    syncServerClock(me.server_time, sent, Date.now());
    return me;
  } catch (cause) {
    if (isUnauthenticated(cause)) return null;
    throw cause;
  }
}

async function readRun(run_id: string, signal: AbortSignal): Promise<Run> {
  const sent = Date.now();
  const run = await unwrap(
    client.GET("/api/v1/runs/{run_id}", { params: { path: { run_id } }, signal }),
  );
  syncServerClock(run.server_time, sent, Date.now());
  return run;
}

/** A part that is down makes /readyz answer 503, and the body then names it all the same. */
async function readHealth(signal: AbortSignal): Promise<ReadinessReport> {
  try {
    return await unwrap(client.GET("/api/v1/readyz", { signal }));
  } catch (cause) {
    if (cause instanceof Problem && cause.body.parts)
      return cause.body as unknown as ReadinessReport;
    throw cause;
  }
}

export interface AuditFilter {
  link?: string | undefined;
  run?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  cursor?: string | undefined;
}

export interface RunFilter {
  link?: string | undefined;
  state?: RunState | undefined;
}

const isUnfinished = (run: Run | undefined) => run === undefined || run.ended_at === null;

export const queries = {
  session: () =>
    queryOptions({
      queryKey: ["session"],
      queryFn: ({ signal }) => readSession(withTimeout(signal)),
      staleTime: 30_000,
      refetchInterval: 60_000,
    }),
  links: () =>
    queryOptions({
      queryKey: ["links"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/links", { signal: withTimeout(signal) })),
      refetchInterval: LIVE_MS,
    }),
  link: (link_id: string) =>
    queryOptions({
      queryKey: ["links", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}", {
            params: { path: { link_id } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: LIVE_MS,
    }),
  lag: (link_id: string, minutes: number) =>
    queryOptions({
      queryKey: ["lag", link_id, minutes],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/lag", {
            params: { path: { link_id }, query: { minutes } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: minutes <= 60 ? 5000 : 60_000,
    }),
  history: (link_id: string) =>
    queryOptions({
      queryKey: ["history", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/history", {
            params: { path: { link_id } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: SLOW_MS,
    }),
  plan: (plan_id: string) =>
    queryOptions({
      queryKey: ["plans", plan_id],
      queryFn: ({ signal }) =>
        unwrap(client.GET("/api/v1/plans/{plan_id}", { params: { path: { plan_id } }, signal })),
      staleTime: 60_000,
    }),
  run: (id: string) =>
    queryOptions({
      queryKey: ["runs", id],
      queryFn: ({ signal }) => readRun(id, withTimeout(signal)),
      refetchInterval: (query) => (isUnfinished(query.state.data) ? 1000 : false),
    }),
  runs: (filter: RunFilter = {}) =>
    queryOptions({
      queryKey: ["runs", "list", filter],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/runs", { params: { query: filter }, signal: withTimeout(signal) }),
        ),
      refetchInterval: SLOW_MS,
    }),
  orphans: (link_id: string, cursor?: string) =>
    queryOptions({
      queryKey: ["orphans", link_id, cursor ?? ""],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/orphans", {
            params: { path: { link_id }, query: cursor ? { cursor } : {} },
            signal,
          }),
        ),
      staleTime: 15_000,
    }),
  /** Looked for once, and when somebody asks: each look reads both sides and is recorded. */
  channelError: (link_id: string, direction: Direction) =>
    queryOptions({
      queryKey: ["channel-error", link_id, direction],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/channel-error", {
            params: { path: { link_id }, query: { direction } },
            signal,
          }),
        ),
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  rehearsals: (link_id: string) =>
    queryOptions({
      queryKey: ["rehearsals", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/rehearsals", {
            params: { path: { link_id }, query: { limit: 100 } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: SLOW_MS * 2,
    }),
  schedule: (link_id: string) =>
    queryOptions({
      queryKey: ["schedule", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/rehearsal-schedule", {
            params: { path: { link_id } },
            signal,
          }),
        ),
    }),
  hooks: (link_id: string) =>
    queryOptions({
      queryKey: ["hooks", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/hooks", { params: { path: { link_id } }, signal }),
        ),
    }),
  deliveries: (hook_id: string) =>
    queryOptions({
      queryKey: ["deliveries", hook_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/hooks/{hook_id}/deliveries", {
            params: { path: { hook_id }, query: { limit: 20 } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: SLOW_MS,
    }),
  automation: (link_id: string) =>
    queryOptions({
      queryKey: ["automation", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/automation", {
            params: { path: { link_id } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: SLOW_MS,
    }),
  automaticStart: (link_id: string) =>
    queryOptions({
      queryKey: ["automatic-start", link_id],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/links/{link_id}/automation/start", {
            params: { path: { link_id } },
            signal: withTimeout(signal),
          }),
        ),
      refetchInterval: SLOW_MS,
    }),
  clusters: () =>
    queryOptions({
      queryKey: ["clusters"],
      queryFn: ({ signal }) =>
        unwrap(client.GET("/api/v1/clusters", { signal: withTimeout(signal) })),
      refetchInterval: LIVE_MS * 2,
    }),
  locate: (node_id: string, xid: number) =>
    queryOptions({
      queryKey: ["locate", node_id, xid],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/nodes/{node_id}/locate", {
            params: { path: { node_id }, query: { xid } },
            signal,
          }),
        ),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  audit: (filter: AuditFilter) =>
    queryOptions({
      queryKey: ["audit", filter],
      queryFn: ({ signal }) =>
        unwrap(client.GET("/api/v1/audit", { params: { query: filter }, signal })),
    }),
  auditVerdict: () =>
    queryOptions({
      queryKey: ["audit", "verify"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/audit/verify", { signal })),
      staleTime: 60_000,
    }),
  tokens: () =>
    queryOptions({
      queryKey: ["tokens"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/tokens", { signal })),
    }),
  waiting: () =>
    queryOptions({
      queryKey: ["waiting"],
      queryFn: ({ signal }) =>
        unwrap(client.GET("/api/v1/waiting", { signal: withTimeout(signal) })),
      refetchInterval: SLOW_MS,
    }),
  sessions: () =>
    queryOptions({
      queryKey: ["sessions"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/sessions", { signal })),
    }),
  sessionsOf: (username: string) =>
    queryOptions({
      queryKey: ["sessions", username],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/users/{username}/sessions", {
            params: { path: { username } },
            signal,
          }),
        ),
    }),
  tokensOf: (username: string) =>
    queryOptions({
      queryKey: ["tokens", username],
      queryFn: ({ signal }) =>
        unwrap(
          client.GET("/api/v1/users/{username}/tokens", {
            params: { path: { username } },
            signal,
          }),
        ),
    }),
  users: () =>
    queryOptions({
      queryKey: ["users"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/users", { signal })),
    }),
  lab: () =>
    queryOptions({
      queryKey: ["lab"],
      queryFn: ({ signal }) => unwrap(client.GET("/api/v1/lab", { signal: withTimeout(signal) })),
      refetchInterval: LIVE_MS,
    }),
  labVerdict: () =>
    queryOptions({
      queryKey: ["lab", "verify"],
      queryFn: ({ signal }) =>
        unwrap(client.GET("/api/v1/lab/verify", { signal: withTimeout(signal) })),
      refetchInterval: (query) => (query.state.data?.state === "running" ? 1000 : false),
    }),
  parts: () =>
    queryOptions({
      queryKey: ["readyz"],
      queryFn: ({ signal }) => readHealth(withTimeout(signal)),
      refetchInterval: SLOW_MS,
    }),
};
