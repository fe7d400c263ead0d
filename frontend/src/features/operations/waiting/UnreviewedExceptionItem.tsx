import type { UnreviewedException } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ReviewForm } from "@/components/ReviewForm";
import { Timestamp } from "@/components/Timestamp";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Waiting.module.css";

/** A run that started without an approval and that another user must review. */
export function UnreviewedExceptionItem({ exception }: { exception: UnreviewedException }) {
  return (
    <li className={css.entry}>
      <p className={css.what}>
        <StatusChip tone="bad">Started without approval</StatusChip>{" "}
        <AppLink to="/runs/$runId" params={{ runId: exception.run_id }}>
          Run on {exception.link_name}
        </AppLink>
      </p>
      <p>
        Exception by {exception.approver}, <Timestamp at={exception.at} />: “{exception.comment}”
      </p>
      <ReviewForm runId={exception.run_id} people={[exception.requested_by, exception.approver]} />
    </li>
  );
}
