import { Spotlight, spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { clustersQuery } from "@/api/resources/clusters";
import { linksQuery } from "@/api/resources/links";
import type { NavItem } from "@/app/navigation";
import { idTarget, paletteTargets } from "./palette-targets";

export { spotlight } from "@mantine/spotlight";

/** Ctrl-K: opens a page, link or node, or the run, plan or link of a pasted ID. It only navigates. */
export default function CommandPalette({ items }: { items: readonly NavItem[] }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  useEffect(() => spotlight.open(), []);
  const { data: links } = useQuery(linksQuery());
  const { data: clusters } = useQuery(clustersQuery());
  const byId = idTarget(query);
  const targets = [
    ...(byId ? [byId] : []),
    ...paletteTargets(items, links?.results ?? [], clusters?.results ?? []),
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
      searchProps={{ placeholder: "Page, link, node or ID", "aria-label": "Go to" }}
    />
  );
}
