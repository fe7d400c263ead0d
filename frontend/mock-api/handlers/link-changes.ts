/** Changes of a registered link. */
import type { LinkDetail } from "@/api/types";
import { type Database, linkOf, linksOf } from "../db";
import { http, notFound } from "../http";
import { linkChanged, refusedChange } from "../registration";
import { now } from "../seeds/clusters";
import { holdBack } from "../seeds/pending-approvals";

/** Switched on at once; switching it off waits. */
function setRule({ waiting }: Database, linkId: string, isOn: boolean): void {
  if (isOn) {
    waiting.ruled = [...waiting.ruled, linkId];
    waiting.changes = waiting.changes.filter((entry) => entry.target !== linkId);
  } else if (waiting.ruled.includes(linkId))
    holdBack(
      { waiting },
      "approval_rule_off",
      linkId,
      "operator-1 requests that runs on this link no longer need the approval of a second person.",
    );
}

const refused = (db: Database, request: Request, link: LinkDetail, given: { reason?: string }) =>
  refusedChange(request, link, given, () =>
    linkChanged(db, link, { name: `${link.name}-renamed` }),
  );

/** Where runs need an approval, so does the retirement. */
function retire(db: Database, link: LinkDetail, reason: string): LinkDetail {
  if (!link.requires_approval)
    return linkChanged(db, link, { retired_at: now(), state: "retired" });
  const summary = `operator-1 requests that ${link.name} is retired: ${reason}`;
  holdBack(db, "link_retirement", link.id, summary);
  return linkChanged(db, link, {});
}

const pauseHandlers = (db: Database) => [
  http.put("/api/v1/links/{link_id}/pause", async ({ params, request, response }) => {
    const link = linkOf(db, params.link_id);
    if (!link) return notFound("link");
    const given = await request.json();
    const refusal = refused(db, request, link, given);
    if (refusal) return refusal;
    const pause = { until: given.until, by: db.me?.username ?? "", reason: given.reason };
    return response(200).json(linkChanged(db, link, { pause }));
  }),
  http.delete("/api/v1/links/{link_id}/pause", ({ params, request, query, response }) => {
    const link = linkOf(db, params.link_id);
    if (!link) return notFound("link");
    const refusal = refused(db, request, link, { reason: query.get("reason") });
    return refusal ?? response(200).json(linkChanged(db, link, { pause: null }));
  }),
];

export const linkChangeHandlers = (db: Database) => [
  http.patch("/api/v1/links/{link_id}", async ({ params, request, response }) => {
    const link = linkOf(db, params.link_id);
    if (!link) return notFound("link");
    const { name, home_cluster, requires_approval, ...given } = (await request.json()) ?? {};
    const refusal = refused(db, request, link, given);
    if (refusal) return refusal;
    if (requires_approval !== undefined) setRule(db, link.id, requires_approval);
    const home = [link.active_cluster, link.standby_cluster].find(({ id }) => id === home_cluster);
    linkChanged(db, link, {
      ...(name ? { name } : {}),
      ...(home ? { home_cluster: { id: home.id, name: home.name } } : {}),
    });
    return response(200).json(linkOf(db, link.id) ?? link);
  }),
  http.delete("/api/v1/links/{link_id}", ({ params, request, query, response }) => {
    const link = linkOf(db, params.link_id);
    if (!link) return notFound("link");
    const reason = query.get("reason");
    const refusal = refused(db, request, link, { reason });
    return refusal ?? response(200).json(retire(db, link, reason));
  }),
  http.post("/api/v1/links/{link_id}/swap-names", async ({ params, request, response }) => {
    const link = linkOf(db, params.link_id);
    const given = await request.json();
    const other = linksOf(db).find(({ id }) => id === given.other);
    if (!link || !other) return notFound("link");
    const refusal = refused(db, request, link, given);
    if (refusal) return refusal;
    linkChanged(db, other, { name: link.name });
    return response(200).json(linkChanged(db, link, { name: other.name }));
  }),
  ...pauseHandlers(db),
];
