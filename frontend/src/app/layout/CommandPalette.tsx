import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clustersQuery } from "@/api/resources/clusters";
import { linksQuery } from "@/api/resources/links";
import type { NavItem } from "@/app/navigation";

/** Ctrl-K: go to any room, link or node. It only moves; nothing is done from here. */
export default function CommandPalette({
  items,
  className,
}: {
  items: readonly NavItem[];
  className: string;
}) {
  const navigate = useNavigate();
  const { data: links } = useQuery(linksQuery());
  const { data: clusters } = useQuery(clustersQuery());
  const actions: SpotlightActionData[] = [
    ...items.map((item) => ({
      id: item.to,
      label: item.label,
      description: `g ${item.key}`,
      keywords: item.also,
      onClick: () => void navigate({ to: item.to }),
    })),
    ...(links?.results ?? []).map((link) => ({
      id: link.id,
      label: `Link ${link.name}`,
      description: link.sentence,
      onClick: () => void navigate({ to: "/links/$linkId", params: { linkId: link.id } }),
    })),
    ...(clusters?.results ?? []).flatMap((cluster) =>
      cluster.nodes.map((node) => ({
        id: node.id,
        label: `Node ${node.name}`,
        description: `${cluster.name} · ${node.host}:${node.port}`,
        onClick: () => void navigate({ to: "/clusters", search: { node: node.id } }),
      })),
    ),
  ];
  return (
    <>
      <button type="button" className={className} onClick={() => spotlight.open()}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <Spotlight
        actions={actions}
        shortcut={["mod + K"]}
        nothingFound="Nothing by that name"
        highlightQuery
        limit={9}
        searchProps={{ placeholder: "A link, a node, a page", "aria-label": "Go to" }}
      />
    </>
  );
}
