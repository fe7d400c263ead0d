import type { Node } from "@/api/types";
import { useDataAge } from "@/components/use-data-age";
import { formatAge } from "@/lib/format/time";

/** How old the data of a node is. */
export function NodeAge({ node, readAt }: { node: Node; readAt: number }) {
  const age = useDataAge(node.age_s, readAt);
  return <>{age === null ? "no data yet" : formatAge(age)}</>;
}
