import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import { pendingCount } from "@/domain/pending-approvals";
import css from "./AppLayout.module.css";

/** The number of decisions that need a second user; 0 while it is unknown. */
export function usePendingCount(): number {
  const { data } = useQuery(pendingApprovalsQuery());
  return data ? pendingCount(data) : 0;
}

/** The number of pending approvals; nothing where there are none. */
export function PendingApprovalCount() {
  const count = usePendingCount();
  if (count === 0) return null;
  return (
    <span className={css.waiting}>
      {count}
      <span className="sr-only"> pending</span>
    </span>
  );
}
