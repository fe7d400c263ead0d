import { useQuery } from "@tanstack/react-query";
import { linkQuery } from "@/api/resources/links";
import type { LinkDetail, Plan } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { kindOf } from "@/domain/operations";
import { planConfirmLabel } from "@/features/operations/planning/plan/plan-script";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { Panel } from "@/ui/Panel";
import { TargetSection } from "./TargetSection";

/** The target that a plan was made for, and the form that makes a plan for another one. */
export function PlannedTarget({ plan }: { plan: Plan }) {
  const query = useQuery(linkQuery(plan.link_id));
  const { source_node, replica_node, orphans } = plan.options;
  return (
    <>
      <Panel title="Chosen">
        <p>{planConfirmLabel(plan, usePlanParticipants(plan))}.</p>
      </Panel>
      {plan.state !== "used" && (
        <details className="no-print">
          <summary>Choose another target</summary>
          <div className="stack note">
            <QueryBoundary<LinkDetail> query={query} label="the link">
              {(link) => (
                <TargetSection
                  link={link}
                  readAt={query.dataUpdatedAt}
                  kind={kindOf(plan.kind) ?? "relocate"}
                  requested={{ source_node, replica_node, orphans: orphans ?? undefined }}
                />
              )}
            </QueryBoundary>
          </div>
        </details>
      )}
    </>
  );
}
