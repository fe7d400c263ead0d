/** How many persons must approve the runs of a link. */
import type { ApprovalRule } from "@/api/types";
import type { Database } from "../db";
import { http } from "../http";

const ruleOf = (db: Database, link_id: string): ApprovalRule =>
  db.approvalRules.get(link_id) ?? {
    link_id,
    requires_approval: true,
    approvals_needed: 2,
    approvers: ["anna", "ben", "carl"],
    is_default: false,
    pending: null,
  };

export const approvalRuleHandlers = (db: Database) => [
  http.get("/api/v1/links/{link_id}/approval-rule", ({ params, response }) =>
    response(200).json(ruleOf(db, params.link_id)),
  ),
  http.put("/api/v1/links/{link_id}/approval-rule", async ({ params, request, response }) => {
    const { approvals_needed, approvers } = await request.json();
    const before = ruleOf(db, params.link_id);
    const isWeaker = approvals_needed < before.approvals_needed;
    const asked = { approvals_needed, approvers };
    const rule = isWeaker ? { ...before, pending: asked } : { ...before, ...asked, pending: null };
    db.approvalRules.set(params.link_id, rule);
    return response(200).json(rule);
  }),
];
