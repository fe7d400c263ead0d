/** The API from memory, for looking at pages and for tests beside the code. Never part of the build. */
import { HttpResponse, http } from "msw";
import type { PlanKind, PlanOptions } from "@/api/types";
import { audit, type Database, lag, linksOf, newDatabase, runsOf } from "../db";
import { at, page, problem } from "../responses";
import { runOperation } from "../run-operation";
import { channelError } from "../seeds/channel-error";
import { ago, frankfurt, milan, now } from "../seeds/clusters";
import { orphans } from "../seeds/orphans";
import { makePlan } from "../seeds/plans";
import {
  automaticStart,
  automation,
  deliveries,
  hooks,
  rehearsal,
  rehearsals,
  schedule,
} from "../seeds/rehearsals";
import { runAt } from "../seeds/runs";
import { accessHandlers } from "./access";
import { pendingApprovalHandlers, setRule } from "./pending-approvals";

function sessionHandlers(world: Database) {
  return [
    http.get(at("/session"), () =>
      world.me
        ? HttpResponse.json({ ...world.me, server_time: now() })
        : problem(401, "not_authenticated", "Nobody is signed in", ""),
    ),
    http.post(at("/session"), async ({ request }) => {
      const body = (await request.json()) as { username: string; password: string };
      if (body.password === "wrong")
        return problem(
          401,
          "invalid_credentials",
          "Not signed in",
          "Name or password is not right.",
        );
      if (body.password === "busy")
        return problem(
          503,
          "sign_in_busy",
          "Too many sign in",
          "Too many passwords are being checked at once. Retry in a few seconds.",
          { headers: { "Retry-After": "2" } },
        );
      if (body.password === "guess")
        return problem(
          429,
          "too_many_attempts",
          "Too many attempts",
          "Too many failed sign-ins from this address. The password was not checked. Wait up to 14 minutes, sign in from a browser that you used before, or ask an administrator to unlock you.",
          { headers: { "Retry-After": "840" } },
        );
      world.me = newDatabase().me;
      return HttpResponse.json(world.me);
    }),
    http.delete(at("/session"), () => {
      world.me = null;
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}

function linkHandlers(world: Database) {
  return [
    http.get(at("/links"), () => page(linksOf(world))),
    http.get(at("/links/:id"), ({ params }) => {
      const link = linksOf(world).find((entry) => entry.id === params.id);
      return link
        ? HttpResponse.json(link)
        : problem(404, "not_found", "There is no such link", "");
    }),
    http.patch(at("/links/:id"), async ({ params, request }) => {
      const { requires_approval: isOn } = (await request.json()) as { requires_approval: boolean };
      setRule(world, String(params.id), isOn);
      return HttpResponse.json(linksOf(world).find((entry) => entry.id === params.id) ?? {});
    }),
    http.get(at("/links/:id/lag"), ({ request }) => {
      const minutes = Number(new URL(request.url).searchParams.get("minutes") ?? 15);
      return HttpResponse.json({
        points: lag(minutes, world.lostAt),
        marks: [
          { at: ago(420), kind: "probe.ok", label: "probe ok both ways" },
          { at: new Date(world.lostAt).toISOString(), kind: "node.lost", label: "db-a1 lost" },
        ],
      });
    }),
    http.get(at("/links/:id/history"), () =>
      page([
        {
          at: new Date(world.lostAt).toISOString(),
          kind: "node.lost",
          label: "db-a1 stopped answering",
          run_id: null,
          actor: null,
        },
        {
          at: ago(420),
          kind: "check",
          label: "Readiness checked: relocate in 0.9 s",
          run_id: null,
          actor: null,
        },
        {
          at: ago(86_400 * 18),
          kind: "run",
          label: "Relocated to db-a1 ⇄ db-b1, lost 0",
          run_id: null,
          actor: "operator-2",
        },
      ]),
    ),
    http.post(at("/links/:id/plans"), async ({ params, request }) => {
      const body = (await request.json()) as {
        kind: PlanKind;
        reason: string;
        options: PlanOptions;
      };
      const id = `p_${world.plans.size + 1}`;
      const link = linksOf(world).find((entry) => entry.id === params.id);
      const plan = {
        ...runOperation(id, body.kind, body.reason, body.options),
        link_id: String(params.id),
        link_name: link?.name ?? "payments",
      };
      world.plans.set(id, plan);
      return HttpResponse.json(plan, { status: 201 });
    }),
    http.get(at("/clusters"), () => page([milan(), frankfurt()])),
    http.post(at("/clusters/:id/check"), () =>
      HttpResponse.json({
        findings: [
          {
            code: "grant_missing",
            severity: "blocker",
            message: "The monitor account may not read binary logs on db-a1.",
            remedy: "GRANT BINLOG MONITOR ON *.* TO 'hawser_monitor'@'%'",
            facts: {},
          },
          {
            code: "tls",
            severity: "ok",
            message: "TLS verified on all nodes.",
            remedy: "",
            facts: {},
          },
        ],
      }),
    ),
    http.get(at("/nodes/:id/locate"), () =>
      HttpResponse.json({
        found: true,
        file: "mariadb-bin.000211",
        position: 884_120_377,
        group: makePlan("x", "", {}).positions[0]?.source_groups[5],
        scanned_events: 18_400,
        elapsed_ms: 14,
        from_checkpoint: true,
      }),
    ),
  ];
}

/** What belongs to one link beside its state. */
function sideHandlers() {
  return [
    http.get(at("/links/:id/orphans"), ({ params }) =>
      HttpResponse.json(
        params.id === "l_ledger"
          ? orphans()
          : {
              ...orphans(),
              state: "not_needed",
              detail: "",
              scanned_at: null,
              cluster: null,
              transactions: 0,
              tables: [],
              results: [],
            },
      ),
    ),
    http.get(at("/links/:id/channel-error"), () => HttpResponse.json(channelError())),
    http.post(at("/links/:id/orphans/scan"), () => HttpResponse.json(orphans(), { status: 201 })),
    http.get(at("/links/:id/rehearsals"), () => page(rehearsals())),
    http.post(at("/links/:id/rehearsals"), () =>
      HttpResponse.json(rehearsal("relocate", 0), { status: 201 }),
    ),
    http.get(at("/links/:id/rehearsal-schedule"), () => HttpResponse.json(schedule())),
    http.put(at("/links/:id/rehearsal-schedule"), () => HttpResponse.json(schedule())),
    http.get(at("/links/:id/hooks"), () => page(hooks())),
    http.get(at("/hooks/:id/deliveries"), ({ params }) => page(deliveries(String(params.id)))),
    http.post(at("/hooks/:id/test"), ({ params }) =>
      HttpResponse.json(deliveries(String(params.id))[0]),
    ),
    http.get(at("/links/:id/automation"), () => HttpResponse.json(automation())),
    http.put(at("/links/:id/automation"), () => HttpResponse.json(automation())),
    http.get(at("/links/:id/automation/start"), () => HttpResponse.json(automaticStart())),
    http.put(at("/links/:id/automation/start"), () => HttpResponse.json(automaticStart())),
    http.post(at("/links/:id/automation/acknowledge"), () =>
      HttpResponse.json({ ...automation(), blocked_until: null }),
    ),
  ];
}

function runHandlers(world: Database) {
  const run = (id: string) => {
    const held = world.waiting.runs.find((one) => one.id === id);
    if (held) return HttpResponse.json({ ...held, server_time: now() });
    const entry = world.runs.get(id);
    return entry
      ? HttpResponse.json(runAt(id, entry.plan, entry.startedAt, entry.reason))
      : problem(404, "not_found", "There is no such run", "");
  };
  return [
    http.get(at("/plans/:id"), ({ params }) => {
      const plan = world.plans.get(String(params.id));
      return plan
        ? HttpResponse.json(plan)
        : problem(404, "not_found", "There is no such plan", "");
    }),
    http.post(at("/plans/:id/runs"), async ({ params, request }) => {
      const plan = world.plans.get(String(params.id));
      const body = (await request.json()) as { confirm: string; reason: string };
      if (!plan) return problem(404, "not_found", "There is no such plan", "");
      if (body.confirm !== plan.link_name)
        return problem(422, "confirm", "The confirmation is wrong", "Type the link's name.", {
          errors: [
            { field: "confirm", message: `This is not the link's name, ${plan.link_name}.` },
          ],
        });
      const id = `r_${world.runs.size + 1}`;
      world.runs.set(id, { plan, startedAt: Date.now(), reason: body.reason });
      plan.state = "used";
      return HttpResponse.json(runAt(id, plan, Date.now(), body.reason), { status: 202 });
    }),
    http.get(at("/runs"), () => page([...world.waiting.runs, ...runsOf(world)])),
    http.get(at("/runs/:id"), ({ params }) => run(String(params.id))),
    http.get(at("/audit"), () => page(audit)),
    http.get(at("/audit/verify"), () =>
      HttpResponse.json({
        ok: true,
        records: 48,
        first_bad_seq: null,
        reason: null,
        detail: "",
        head: { seq: 48, hash: "7f3a9c1e5b2d48a0c6e1f3" },
        checked_at: now(),
        full_checked_at: now(),
      }),
    ),
    http.get(at("/readyz"), () =>
      HttpResponse.json({
        status: "ok",
        parts: { database: { ok: true, detail: "" }, redis: { ok: true, detail: "" } },
      }),
    ),
  ];
}

function labHandlers(world: Database) {
  return [
    http.get(at("/lab"), () =>
      HttpResponse.json({
        variant: "classic",
        nodes: Object.entries(world.lab).map(([name, state]) => ({
          name,
          site: name.charAt(3),
          cluster: name.charAt(3) === "a" ? "milan" : "frankfurt",
          state,
          wsrep_state: state === "running" ? "Synced" : null,
        })),
        rebuild: { state: "idle", site: "", donor: "", coordinate: "", galera: "", detail: "" },
        load: {
          running: true,
          active_site: "a",
          both_sides: false,
          schema_changes: false,
          acknowledged: 184_220,
          failed: 14,
          indeterminate: 3,
          rate: 86.4,
        },
      }),
    ),
    http.post(at("/lab/nodes/:name"), async ({ params, request }) => {
      const { action } = (await request.json()) as { action: string };
      world.lab[String(params.name)] =
        action === "kill" ? "dead" : action === "freeze" ? "frozen" : "running";
      return HttpResponse.json({});
    }),
    http.post(at("/lab/verify"), () => {
      world.judgedAt = Date.now();
      return HttpResponse.json({ id: "v_1" }, { status: 202 });
    }),
    http.get(at("/lab/verify"), () => {
      if (world.judgedAt === null)
        return HttpResponse.json({ state: "idle", summary: "", clean: null });
      const done = Date.now() - world.judgedAt > 2000;
      return HttpResponse.json({
        state: done ? "done" : "running",
        summary: done ? "acknowledged 184220, lost 0, doubled 0, nodes identical" : "",
        clean: done ? true : null,
      });
    }),
  ];
}

export const handlersFor = (world: Database) => [
  ...sessionHandlers(world),
  ...accessHandlers(world),
  ...pendingApprovalHandlers(world),
  ...sideHandlers(),
  ...linkHandlers(world),
  ...runHandlers(world),
  ...labHandlers(world),
];
