import type { Node } from "@/api/types";
import { Term, type TermName } from "@/components/Term";
import { useDataAge } from "@/components/use-data-age";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { StatusChip } from "@/ui/StatusChip";

const TERMS: Record<string, TermName> = {
  unreachable: "unreachable node",
  "not responding": "hung node",
  "Donor/Desynced": "donor",
};

/** The state of a node; unknown as soon as its data is out of date. */
export function NodeState({ node, readAt }: { node: Node; readAt: number }) {
  const age = useDataAge(node.age_s, readAt);
  const status = nodeStatus(node, age, serverNow());
  const term = TERMS[status.word];
  return (
    <StatusChip tone={status.tone}>
      {term ? <Term of={term}>{status.word}</Term> : status.word}
    </StatusChip>
  );
}
