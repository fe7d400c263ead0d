import type { LinkDetail } from "@/api/types";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { useDataAge } from "@/components/use-data-age";
import { isStale } from "@/domain/freshness";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { suggestedRelocation } from "./suggested-relocation";

function reachability({ clusters }: LinkDetail): string {
  const nodes = [...clusters.active.nodes, ...clusters.standby.nodes];
  const unknown = nodes.filter((node) => node.reach === "unknown").length;
  const down = nodes.filter((node) => node.reach !== "up").length - unknown;
  if (down + unknown === 0) return "all reachable";
  return unknown === 0 ? `${down} unreachable` : `${down} unreachable, ${unknown} unknown`;
}

/** Both clusters and their channels, with the age of each node. */
export function TopologyPanel({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const { active, standby } = link.clusters;
  const count = pluralize(active.nodes.length + standby.nodes.length, "node");
  return (
    <Panel title="Topology" aside={`${count} · ${stale ? "unknown" : reachability(link)}`}>
      <div className={stale ? "stale" : undefined}>
        <TopologyDiagram
          link={link}
          ageS={age}
          stale={stale}
          proposal={suggestedRelocation(link)}
        />
      </div>
    </Panel>
  );
}
