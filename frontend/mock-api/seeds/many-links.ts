/** As many links as asked for, between a few sites: most of them well, some not, the same ones each time. */
import type { LinkDetail } from "@/api/types";
import { ago } from "./clusters";
import { base, channel, not } from "./links";
import { paused } from "./registration";

const SITES = ["Milan", "Frankfurt", "Oslo", "Madrid", "Warsaw", "Dublin"] as const;
const USES = [
  "payments",
  "orders",
  "billing",
  "stock",
  "ledger",
  "search",
  "profile",
  "audit",
] as const;

const site = (index: number) => SITES[index % SITES.length] ?? "Milan";
const slug = (name: string, index: number) => `${name.toLowerCase()}-${index + 1}`;

function plain(index: number): LinkDetail {
  const name = `${USES[index % USES.length]}-${String(index + 1).padStart(3, "0")}`;
  const link = base(`l_many${index + 1}`, name);
  const [active, standby] = [site(index), site(index + 1 + (index % 3))];
  const gap = (index * 37) % 90;
  return {
    ...link,
    active_cluster: { ...link.active_cluster, name: slug(active, index), site: active },
    standby_cluster: { ...link.standby_cluster, name: slug(standby, index), site: standby },
    clusters: {
      active: { ...link.clusters.active, id: `c_a${index}`, name: slug(active, index) },
      standby: { ...link.clusters.standby, id: `c_b${index}`, name: slug(standby, index) },
    },
    channels: [
      channel("forward", { gap_transactions: gap, lag_s: Math.floor(gap / 30) }),
      channel("reverse"),
    ],
  };
}

function down(link: LinkDetail): LinkDetail {
  return {
    ...link,
    state: "broken",
    sentence: `db-a1 is down. ${link.active_cluster.name} is still writable. ${link.standby_cluster.name} has received no data for 41 s.`,
    active_cluster: { ...link.active_cluster, status: "degraded", nodes_up: 2 },
    channels: [
      channel("forward", { state: "broken", gap_transactions: 3526, lag_s: null }),
      channel("reverse", { state: "unknown", gap_transactions: null, lag_s: null }),
    ],
    readiness: {
      ...link.readiness,
      switchover: not("blocked", "The forward channel is not running."),
    },
  };
}

const late = (link: LinkDetail): LinkDetail => ({
  ...link,
  state: "degraded",
  sentence: `${link.standby_cluster.name} is 214 s behind ${link.active_cluster.name}.`,
  channels: [channel("forward", { gap_transactions: 18_422, lag_s: 214 }), channel("reverse")],
});

const unseen = (link: LinkDetail): LinkDetail => ({
  ...link,
  state: "unknown",
  sentence: "No data for 2 min: no monitor is running.",
  channels: [channel("forward", { state: "unknown", gap_transactions: null, lag_s: null })],
  readiness: { failover: not("unknown", "No data for 2 min: no monitor is running.") },
});

const unrehearsed = (link: LinkDetail): LinkDetail => {
  const never = { rehearsed_at: null, rehearsed_ok: null };
  return {
    ...link,
    readiness: Object.fromEntries(
      Object.entries(link.readiness).map(([kind, entry]) => [kind, { ...entry, ...never }]),
    ),
  };
};

const failedRehearsal = (link: LinkDetail): LinkDetail => {
  const { failover } = link.readiness;
  return failover
    ? {
        ...link,
        readiness: {
          ...link.readiness,
          failover: { ...failover, rehearsed_at: ago(7200), rehearsed_ok: false },
        },
      }
    : link;
};

/** One link in so many is not as the others. */
const ODD: readonly [every: number, make: (link: LinkDetail) => LinkDetail][] = [
  [47, down],
  [31, unseen],
  [23, late],
  [19, failedRehearsal],
  [17, paused],
  [13, unrehearsed],
];

function one(index: number): LinkDetail {
  const [, make] = ODD.find(([every]) => index % every === every - 8) ?? [];
  return make ? make(plain(index)) : plain(index);
}

export const manyLinks = (count: number): (() => LinkDetail)[] =>
  Array.from({ length: count }, (_, index) => () => one(index));
