import type { LinkProps } from "@tanstack/react-router";
import type { Cluster, LinkRow } from "@/api/types";
import type { NavItem } from "@/app/navigation";

/** An entry of the command palette: its texts and the page it opens. */
export interface PaletteTarget {
  id: string;
  label: string;
  description: string;
  keywords?: string;
  link: Pick<LinkProps, "to" | "params" | "search">;
}

/** What the palette needs of a link. */
export type PaletteLink = Pick<
  LinkRow,
  "id" | "name" | "sentence" | "active_run" | "primary_action"
> & { readiness: Record<string, { state: string }> };

const LINK_PAGES = [
  { label: "Orphaned transactions", to: "/links/$linkId/orphans" },
  { label: "Table comparisons", to: "/links/$linkId/tables" },
  { label: "Rehearsals", to: "/links/$linkId/rehearsals" },
  { label: "Advice", to: "/links/$linkId/advice" },
  { label: "Settings", to: "/links/$linkId/settings" },
] as const;

const pageTarget = (item: NavItem): PaletteTarget => ({
  id: item.to,
  label: item.label,
  description: `g ${item.key}`,
  keywords: item.also,
  link: { to: item.to },
});

const linkTarget = (link: PaletteLink): PaletteTarget => ({
  id: link.id,
  label: `Link ${link.name}`,
  description: link.sentence,
  link: { to: "/links/$linkId", params: { linkId: link.id } },
});

const linkPageTargets = (link: PaletteLink): PaletteTarget[] =>
  LINK_PAGES.map(({ label, to }) => ({
    id: `${link.id} ${label}`,
    label: `${label} of ${link.name}`,
    description: `Link ${link.name}`,
    link: { to, params: { linkId: link.id } },
  }));

const clusterTarget = (cluster: Cluster): PaletteTarget => ({
  id: cluster.id,
  label: `Cluster ${cluster.name}`,
  description: cluster.site,
  keywords: "nodes accounts members tls",
  link: { to: "/clusters/$clusterId", params: { clusterId: cluster.id } },
});

const nodeTargets = (cluster: Cluster): PaletteTarget[] =>
  cluster.nodes.map((node) => ({
    id: node.id,
    label: `Node ${node.name}`,
    description: `${cluster.name} · ${node.host}:${node.port}`,
    link: { to: "/clusters", search: { node: node.id } },
  }));

/** The run, plan, link or incident whose ID was entered; null where the text is no such ID. */
export function idTarget(text: string): PaletteTarget | null {
  const id = text.trim();
  const [, prefix] = /^([rplx])_\w+$/.exec(id) ?? [];
  const shared = { id: `id ${id}`, description: "Open by ID", keywords: text };
  switch (prefix) {
    case "r":
      return { ...shared, label: `Run ${id}`, link: { to: "/runs/$runId", params: { runId: id } } };
    case "p":
      return {
        ...shared,
        label: `Plan ${id}`,
        link: { to: "/plans/$planId/plan", params: { planId: id } },
      };
    case "x":
      return {
        ...shared,
        label: `Incident ${id}`,
        link: { to: "/incidents/$incidentId", params: { incidentId: id } },
      };
    case "l":
      return {
        ...shared,
        label: `Link ${id}`,
        link: { to: "/links/$linkId", params: { linkId: id } },
      };
    default:
      return null;
  }
}

/** All targets of the palette, pages first. */
export const paletteTargets = (
  items: readonly NavItem[],
  links: readonly PaletteLink[],
  clusters: readonly Cluster[],
): PaletteTarget[] => [
  ...items.map(pageTarget),
  ...links.map(linkTarget),
  ...clusters.map(clusterTarget),
  ...clusters.flatMap(nodeTargets),
  ...links.flatMap(linkPageTargets),
];
