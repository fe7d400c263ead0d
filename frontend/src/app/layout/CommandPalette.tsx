import { Spotlight, spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { clustersQuery } from "@/api/resources/clusters";
import { fleetQuery } from "@/api/resources/fleet";
import { runsQuery } from "@/api/resources/runs";
import type { CurrentUser } from "@/api/types";
import type { NavItem } from "@/app/navigation";
import { usePagedQuery } from "@/components/use-paged-query";
import { sectionsFor } from "@/features/settings/console/sections";
import { actionTargets, runTargets } from "./palette-actions";
import { idTarget, type PaletteTarget, paletteTargets } from "./palette-targets";

export { spotlight } from "@mantine/spotlight";

const sectionTargets = ({ permissions }: CurrentUser): PaletteTarget[] =>
  sectionsFor(permissions).map(({ to, label }) => ({
    id: to,
    label: `Settings: ${label}`,
    description: "Settings",
    link: { to },
  }));

export interface CommandPaletteProps {
  items: readonly NavItem[];
  user: CurrentUser;
}

/**
 * Ctrl-K: opens a page, link, node, run, or the first page of an operation, or the run, plan or
 * link of a pasted ID. It only navigates: nothing starts from here.
 */
export default function CommandPalette({ items, user }: CommandPaletteProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  useEffect(() => spotlight.open(), []);
  const { data: links } = useQuery(fleetQuery());
  const { data: clusters } = useQuery(clustersQuery());
  const byId = idTarget(query);
  const runs = usePagedQuery(runsQuery());
  const targets = [
    ...(byId ? [byId] : []),
    ...paletteTargets(items, links?.results ?? [], clusters?.results ?? []),
    ...actionTargets(user, links?.results ?? []),
    ...sectionTargets(user),
    ...runTargets(runs.data ?? []),
  ];
  return (
    <Spotlight
      actions={targets.map(({ link, ...texts }) => ({
        ...texts,
        onClick: () => void navigate(link),
      }))}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound="No match"
      highlightQuery
      limit={9}
      searchProps={{ placeholder: "Page, link, node, run, action or ID", "aria-label": "Go to" }}
    />
  );
}
