import type { Node } from "@/api/types";
import { useDataAge } from "@/components/use-data-age";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { StatusChip } from "@/ui/StatusChip";

/** The state of a node; unknown as soon as its data is out of date. */
export function NodeState({ node, readAt }: { node: Node; readAt: number }) {
  const age = useDataAge(node.age_s, readAt);
  const status = nodeStatus(node, age, serverNow());
  return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
}
