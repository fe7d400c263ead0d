/** Every page with the states it can be in: one line each. */
import type { State } from "./support/open";
import { EMPTY, HEADINGS as H } from "./texts";

export interface PageCase {
  name: string;
  path: string;
  heading: RegExp;
  state?: State;
  /** What the page reads first: makes its loading and its error state. */
  reads?: string;
  /** What it says when that has no rows. */
  empty?: RegExp;
}

const plan = (id: string) => `/plans/${id}`;
const PAYMENTS = "/links/l_payments";
const LEDGER = "/links/l_ledger";
const RETIRED = "/links/l_retired";
const MILAN = "/clusters/c_milan";
const LOOKUP = "/lookup?link=l_payments";

export const PAGES: readonly PageCase[] = [
  { name: "sign-in", path: "/sign-in", heading: H.signIn, state: { role: "none" } },
  { name: "links", path: "/links", heading: H.links, reads: "/fleet", empty: EMPTY.links },
  ...["table", "map"].map((view) => ({
    name: `links-${view}`,
    path: `/links?view=${view}`,
    heading: H.links,
    state: { scenario: "twelve-links" },
  })),
  {
    name: "links-wall",
    path: "/links?view=wall",
    heading: /^12 links$/,
    state: { scenario: "twelve-links" },
  },
  {
    name: "link-wall",
    path: "/links/l_crossed?view=wall",
    heading: /^crossed$/,
    state: { scenario: "lab-states" },
  },
  { name: "create-link", path: "/links/new", heading: H.createLink },
  { name: "link", path: PAYMENTS, heading: H.link, reads: PAYMENTS },
  { name: "link-diverged", path: LEDGER, heading: H.link },
  { name: "link-stopped-on-row", path: "/links/l_stock", heading: H.link },
  ...["calm", "site-lost", "failed-over", "returned", "partition", "unknown"].map((scenario) => ({
    name: `link-${scenario}`,
    path: PAYMENTS,
    heading: H.link,
    state: { scenario },
  })),
  ...["needs-operator", "waiting-approval"].map((scenario) => ({
    name: `link-${scenario}`,
    path: PAYMENTS,
    heading: H.link,
    state: { scenario },
  })),
  {
    name: "orphans",
    path: `${LEDGER}/orphans`,
    heading: H.orphans,
    reads: `${LEDGER}/orphans`,
  },
  { name: "no-orphans", path: "/links/l_orders/orphans", heading: H.noOrphans },
  {
    name: "rehearsals",
    path: "/links/l_orders/rehearsals",
    heading: H.rehearsals,
    reads: "/links/l_orders/rehearsals",
  },
  {
    name: "network",
    path: `${PAYMENTS}/network`,
    heading: H.network,
    reads: `${PAYMENTS}/network`,
  },
  { name: "network-unmeasured", path: "/links/l_orders/network", heading: H.network },
  {
    name: "settings",
    path: "/links/l_orders/settings",
    heading: H.settings,
    reads: "/links/l_orders/hooks",
  },
  ...["", "/settings"].map((page) => ({
    name: `maintenance${page}`,
    path: `${PAYMENTS}${page}`,
    heading: page ? H.settings : H.link,
    state: { scenario: "maintenance" },
  })),
  { name: "retired-link", path: RETIRED, heading: H.retiredLink, reads: RETIRED },
  { name: "retired-settings", path: `${RETIRED}/settings`, heading: H.settings },
  { name: "retired-rehearsals", path: `${RETIRED}/rehearsals`, heading: H.rehearsals },
  { name: "retired-orphans", path: `${RETIRED}/orphans`, heading: H.retiredOrphans },
  { name: "webhook", path: "/links/l_orders/settings?hook=k_1", heading: H.settings },
  {
    name: "situation",
    path: `${PAYMENTS}/relocate/situation`,
    heading: H.relocate,
    reads: PAYMENTS,
  },
  { name: "target", path: `${PAYMENTS}/relocate/target`, heading: H.relocate, reads: PAYMENTS },
  {
    name: "checks",
    path: `${PAYMENTS}/relocate/checks?plan=p_ready`,
    heading: H.relocate,
    reads: plan("p_ready"),
  },
  {
    name: "checks-refused",
    path: `${PAYMENTS}/relocate/checks?plan=p_refused`,
    heading: H.relocate,
  },
  {
    name: "switchover-target",
    path: "/links/l_orders/switchover/target",
    heading: H.switchover,
  },
  { name: "failover-target", path: "/links/l_billing/failover/target", heading: H.failover },
  { name: "reprotect-target", path: `${LEDGER}/reprotect/target`, heading: H.reprotect },
  {
    name: "create-channels-target",
    path: "/links/l_orders/create_channels/target",
    heading: H.createChannels,
  },
  { name: "proof", path: "/plans/p_ready/proof", heading: H.relocate, reads: plan("p_ready") },
  { name: "proof-refused", path: "/plans/p_refused/proof", heading: H.relocate },
  { name: "proof-switchover", path: "/plans/p_switchover/proof", heading: H.switchover },
  { name: "plan", path: "/plans/p_ready/plan", heading: H.relocate, reads: plan("p_ready") },
  { name: "confirm", path: "/plans/p_ready/confirm", heading: H.relocate, reads: plan("p_ready") },
  { name: "confirm-expired", path: "/plans/p_expired/confirm", heading: H.relocate },
  { name: "one-page", path: "/plans/p_ready/all", heading: H.relocate, reads: plan("p_ready") },
  { name: "one-page-refused", path: "/plans/p_refused/all#proof", heading: H.relocate },
  {
    name: "one-page-without-plan",
    path: `${PAYMENTS}/relocate/all`,
    heading: H.relocate,
    reads: PAYMENTS,
  },
  { name: "runs", path: "/runs", heading: H.runs, reads: "/runs", empty: EMPTY.runs },
  { name: "run", path: "/runs/r_past_1", heading: H.relocate, reads: "/runs/r_past_1" },
  { name: "run-waiting", path: "/runs/r_waiting", heading: H.switchover },
  { name: "run-needs-operator", path: "/runs/r_needs_operator", heading: H.relocate },
  { name: "run-failed", path: "/runs/r_failed", heading: H.relocate },
  {
    name: "result",
    path: "/runs/r_past_1/result",
    heading: H.relocate,
    reads: "/runs/r_past_1",
  },
  { name: "result-exception", path: "/runs/r_exception/result", heading: H.relocate },
  {
    name: "incidents",
    path: "/incidents?site=Milan",
    heading: H.incidents,
    reads: "/incidents",
    empty: EMPTY.incidents,
  },
  {
    name: "incident",
    path: "/incidents/x_planned",
    heading: H.incident,
    reads: "/incidents/x_planned",
  },
  { name: "incident-running", path: "/incidents/x_running", heading: H.incident },
  { name: "incident-stopped", path: "/incidents/x_stopped", heading: H.incident },
  { name: "incident-report", path: "/incidents/x_ended/report", heading: H.incidentReport },
  {
    name: "history",
    path: "/history",
    heading: H.history,
    reads: "/history",
    empty: EMPTY.history,
  },
  { name: "history-entry", path: "/history/r_past_2", heading: H.historyEntry },
  { name: "run-report", path: "/runs/r_past_1/report", heading: H.runReport },
  {
    name: "certificate",
    path: "/rehearsals/h_failover_1/certificate",
    heading: H.certificate,
  },
  { name: "readiness", path: "/links/l_orders/readiness", heading: H.readiness },
  {
    name: "waiting",
    path: "/waiting",
    heading: H.waiting,
    reads: "/waiting",
    empty: EMPTY.waiting,
  },
  { name: "audit", path: "/audit", heading: H.audit, reads: "/audit", empty: EMPTY.audit },
  { name: "clusters", path: "/clusters?node=n_a2", heading: H.clusters, reads: "/clusters" },
  { name: "cluster", path: MILAN, heading: H.cluster, reads: MILAN },
  {
    name: "node-maintenance",
    path: `${MILAN}/maintenance`,
    heading: H.nodeMaintenance,
    reads: `${MILAN}/node-absence`,
  },
  {
    name: "node-maintenance-unknown",
    path: "/clusters/c_frankfurt/maintenance",
    heading: H.nodeMaintenance,
  },
  {
    name: "bandwidth",
    path: `${MILAN}/bandwidth`,
    heading: H.bandwidth,
    reads: `${MILAN}/bandwidth`,
  },
  {
    name: "bandwidth-unknown",
    path: "/clusters/c_frankfurt/bandwidth",
    heading: H.bandwidth,
    state: { role: "viewer" },
  },
  { name: "concurrency", path: "/concurrency", heading: H.concurrency, reads: "/concurrency" },
  {
    name: "cluster-membership",
    path: MILAN,
    heading: H.cluster,
    state: { scenario: "membership" },
    reads: `${MILAN}/membership`,
  },
  {
    name: "cluster-members-unknown",
    path: "/clusters/c_frankfurt",
    heading: H.cluster,
    state: { scenario: "membership" },
  },
  ...["rebuilt", "returned"].map((scenario) => ({
    name: `cluster-${scenario}`,
    path: MILAN,
    heading: H.cluster,
    state: { scenario },
  })),
  { name: "cluster-retired", path: "/clusters/c_retired", heading: H.cluster },
  {
    name: "cluster-as-viewer",
    path: MILAN,
    heading: H.cluster,
    state: { scenario: "membership", role: "viewer" },
  },
  {
    name: "cluster-advice",
    path: `${MILAN}/advice`,
    heading: H.clusterAdvice,
    reads: `${MILAN}/advice`,
  },
  {
    name: "cluster-advice-unknown",
    path: "/clusters/c_frankfurt/advice",
    heading: H.clusterAdvice,
  },
  {
    name: "link-advice",
    path: "/links/l_orders/advice",
    heading: H.linkAdvice,
    state: { role: "viewer" },
  },
  {
    name: "configuration",
    path: `${MILAN}/configuration?show=all`,
    heading: H.configuration,
    reads: `${MILAN}/configuration`,
  },
  {
    name: "configuration-unknown",
    path: "/clusters/c_frankfurt/configuration",
    heading: H.configuration,
  },
  {
    name: "guides",
    path: "/registrations",
    heading: H.guides,
    reads: "/registrations",
    empty: EMPTY.guides,
  },
  { name: "guide-half", path: "/registrations/f_half?step=first", heading: H.guide },
  { name: "guide-accounts", path: "/registrations/f_ready?step=second", heading: H.guide },
  { name: "guide-link", path: "/registrations/f_ready?step=link", heading: H.guide },
  { name: "guide-review", path: "/registrations/f_half?step=review", heading: H.guide },
  { name: "guide-rehearsal", path: "/registrations/f_done", heading: H.guide },
  { name: "create-cluster", path: "/clusters/new", heading: H.createCluster },
  { name: "lookup", path: "/lookup", heading: H.lookup },
  {
    name: "lookup-found",
    path: `${LOOKUP}&xid=221463896&cluster=c_milan`,
    heading: H.lookup,
    reads: "/links/l_payments/lookup",
  },
  { name: "lookup-many", path: `${LOOKUP}&table=shop.orders`, heading: H.lookup },
  { name: "lookup-none", path: `${LOOKUP}&text=nowhere`, heading: H.lookup },
  { name: "account", path: "/account", heading: H.account },
  { name: "settings-of-the-console", path: "/settings", heading: H.display },
  { name: "display", path: "/settings/display", heading: H.display },
  { name: "notifications", path: "/settings/notifications", heading: H.notifications },
  { name: "tokens", path: "/settings/tokens", heading: H.tokens, reads: "/tokens" },
  { name: "sessions", path: "/settings/sessions", heading: H.sessions, reads: "/sessions" },
  { name: "users", path: "/settings/users?person=anna", heading: H.users, reads: "/users" },
  { name: "teams", path: "/settings/teams", heading: H.teams, reads: "/teams" },
  { name: "roles", path: "/settings/roles", heading: H.roles, reads: "/roles" },
  { name: "webhooks", path: "/settings/webhooks", heading: H.webhooks },
  {
    name: "destinations",
    path: "/settings/destinations",
    heading: H.destinations,
    reads: "/destinations",
    empty: EMPTY.destinations,
  },
  { name: "lab", path: "/lab", heading: H.lab, reads: "/lab" },
  { name: "not-found", path: "/nowhere", heading: H.notFound },
  { name: "empty-console", path: "/links", heading: H.links, state: { scenario: "empty" } },
];
