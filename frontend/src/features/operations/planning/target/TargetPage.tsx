import type { LinkDetail } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationLabel, operationTitle } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { CurrentDataAge } from "@/features/operations/planning/shared/CurrentDataAge";
import { useWorkflowParams } from "@/features/operations/planning/shared/use-workflow-params";
import { TargetSection } from "./TargetSection";

export function TargetPage() {
  const { search, query, kind } = useWorkflowParams("target");
  const readAt = query.dataUpdatedAt;
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading={operationLabel(kind)}>
      {(link) => (
        <WorkflowLayout
          title={operationTitle(kind, currentParticipants(kind, link))}
          location={{ step: "target", kind, linkId: link.id, plan: null, run: null }}
          right={<CurrentDataAge link={link} readAt={readAt} />}
        >
          <TargetSection key={kind} link={link} readAt={readAt} kind={kind} requested={search} />
        </WorkflowLayout>
      )}
    </QueryBoundary>
  );
}
