import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "@/api/queries";
import type { NavItem } from "@/app/navigation";
import { useGoTo } from "@/components/AppLink";

export { spotlight } from "@mantine/spotlight";

/** Ctrl-K: go to any room, link or node. It only moves; nothing is done from here. */
export default function CommandPalette({ items }: { items: readonly NavItem[] }) {
  const go = useGoTo();
  useEffect(() => spotlight.open(), []);
  const { data: links } = useQuery(queries.links());
  const { data: clusters } = useQuery(queries.clusters());
  const actions: SpotlightActionData[] = [
    ...items.map((item) => ({
      id: item.to,
      label: item.label,
      description: `g ${item.key}`,
      keywords: item.also,
      onClick: () => go(item.to),
    })),
    ...(links?.results ?? []).map((link) => ({
      id: link.id,
      label: `Link ${link.name}`,
      description: link.sentence,
      onClick: () => go(`/links/${link.id}`),
    })),
    ...(clusters?.results ?? []).flatMap((cluster) =>
      cluster.nodes.map((node) => ({
        id: node.id,
        label: `Node ${node.name}`,
        description: `${cluster.name} · ${node.host}:${node.port}`,
        onClick: () => go(`/clusters?node=${node.id}`),
      })),
    ),
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      nothingFound="Nothing by that name"
      highlightQuery
      limit={9}
      searchProps={{ placeholder: "A link, a node, a page", "aria-label": "Go to" }}
    />
  );
}
