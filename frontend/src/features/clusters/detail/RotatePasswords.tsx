import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Cluster } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { useRefusal } from "@/components/use-refusal";
import { firstStepLink } from "@/components/workflow/step-link";

/** Leads to the plan of a rotation, of each link that joins the cluster. */
export function RotatePasswords({ cluster }: { cluster: Cluster }) {
  const { data } = useQuery(linksQuery());
  const refusal = useRefusal("plan");
  const links = (data?.results ?? []).filter(
    ({ active_cluster: active, standby_cluster: standby }) =>
      [active.id, standby.id].includes(cluster.id),
  );
  if (refusal !== null) return <p className="dim">{refusal}</p>;
  return (
    <div className="row">
      {links.map(({ id, name }) => (
        <ButtonLink
          key={id}
          size="xs"
          variant="default"
          {...firstStepLink("target", id, "rotate_passwords", {
            source_node: cluster.nodes[0]?.id,
          })}
        >
          Rotate passwords{links.length > 1 && ` over ${name}`}…
        </ButtonLink>
      ))}
    </div>
  );
}
