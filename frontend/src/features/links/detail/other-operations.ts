import type { Link } from "@/api/types";
import { OPERATION_KINDS, type OperationKind } from "@/domain/operations";

/** The operations offered besides the recommended one, in the order of the table. */
export function otherOperations(link: {
  primary_action: Link["primary_action"];
  readiness: Record<string, { state: string }>;
}): OperationKind[] {
  const away = (link.readiness.failback?.state ?? "not_needed") !== "not_needed";
  return OPERATION_KINDS.filter((kind) => {
    if (kind === link.primary_action?.kind) return false;
    // Away from the home site a switchover is a failback, which is offered under that name.
    if (kind === "switchover" && away) return false;
    const answer = link.readiness[kind]?.state;
    return kind === "relocate" || (answer !== undefined && answer !== "not_needed");
  });
}
