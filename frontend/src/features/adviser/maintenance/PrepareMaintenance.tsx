import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import { ButtonLink } from "@/components/ButtonLink";
import { useRefusal } from "@/components/use-refusal";
import { firstStepLink } from "@/components/workflow/step-link";

/** Leads to the plan of a node's maintenance, of each link that joins its cluster. */
export function PrepareMaintenance(props: {
  clusterId: string;
  node: { id: string; name: string };
}) {
  const { clusterId, node } = props;
  const { data } = useQuery(linksQuery());
  const refusal = useRefusal("plan");
  const links = (data?.results ?? []).filter(
    ({ active_cluster: active, standby_cluster: standby }) =>
      [active.id, standby.id].includes(clusterId),
  );
  if (refusal !== null) return <p className="dim">{refusal}</p>;
  if (links.length === 0)
    return <p className="dim">A maintenance is prepared over a link; the cluster has none.</p>;
  return (
    <div className="row">
      {links.map(({ id, name }) => (
        <ButtonLink
          key={id}
          size="xs"
          variant="default"
          {...firstStepLink("target", id, "node_maintenance", { source_node: node.id })}
        >
          Prepare maintenance{links.length > 1 && ` over ${name}`}…
          <span className="sr-only"> {node.name}</span>
        </ButtonLink>
      ))}
    </div>
  );
}
