/** The nodes of a link as the two ends of a measurement. */
import type { LinkDetail } from "@/api/types";

interface End {
  id: string;
  name: string;
  host: string;
}

/** The nodes of both sides, the active one first. */
export const endsOf = ({ clusters }: LinkDetail): { near: End[]; far: End[] } => ({
  near: clusters.active.nodes,
  far: clusters.standby.nodes,
});

/** Options of a choice. */
export const optionsOf = (nodes: readonly End[]) =>
  nodes.map(({ id, name }) => ({ value: id, label: name }));
