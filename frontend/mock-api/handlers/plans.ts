import { HttpResponse } from "msw";
import { type Database, linkOf, startRun } from "../db";
import { http, notFound, problem } from "../http";
import { runOperation } from "../run-operation";

export const planHandlers = (db: Database) => [
  http.post("/api/v1/links/{link_id}/plans", async ({ params, request, response }) => {
    const link = linkOf(db, params.link_id);
    if (!link) return notFound("link");
    const { kind, reason, options } = await request.json();
    const made = runOperation(`p_${db.plans.size + 1}`, kind, reason ?? "", options ?? {});
    const plan = { ...made, link_id: link.id, link_name: link.name };
    db.plans.set(plan.id, plan);
    return response(201).json(plan);
  }),
  http.get("/api/v1/plans/{plan_id}", ({ params, response }) => {
    const plan = db.plans.get(params.plan_id);
    return plan ? response(200).json(plan) : notFound("plan");
  }),
  http.get("/api/v1/plans/{plan_id}/runbook", ({ response }) =>
    response.untyped(HttpResponse.text("# Runbook")),
  ),
  http.post("/api/v1/plans/{plan_id}/runs", async ({ params, request, response }) => {
    const plan = db.plans.get(params.plan_id);
    if (!plan) return notFound("plan");
    if (plan.state === "expired")
      return problem(409, "plan_expired", "Plan has expired", "Make a new plan.");
    const { confirm, reason } = await request.json();
    if (confirm !== plan.link_name)
      return problem(422, "wrong_confirmation", "Wrong confirmation", "Type the link's name.", {
        errors: [{ field: "confirm", message: `This is not the link's name, ${plan.link_name}.` }],
      });
    return response(202).json(startRun(db, plan, reason));
  }),
];
