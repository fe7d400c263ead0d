import type { LinkDetail } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { firstStepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationLabel, operationTitle } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { CurrentDataAge } from "@/features/operations/planning/shared/CurrentDataAge";
import { useWorkflowParams } from "@/features/operations/planning/shared/use-workflow-params";
import { SituationSection } from "./SituationSection";

export function SituationPage() {
  const { linkId, search, query, kind } = useWorkflowParams("situation");
  const { source_node, replica_node, orphans } = search;
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading={operationLabel(kind)}>
      {(link) => (
        <WorkflowLayout
          title={operationTitle(kind, currentParticipants(kind, link))}
          location={{ step: "situation", kind, linkId: link.id, plan: null, run: null }}
          right={<CurrentDataAge link={link} readAt={query.dataUpdatedAt} />}
        >
          <SituationSection
            link={link}
            readAt={query.dataUpdatedAt}
            kind={kind}
            targetLink={firstStepLink("target", linkId, kind, {
              source_node,
              replica_node,
              orphans,
            })}
          />
        </WorkflowLayout>
      )}
    </QueryBoundary>
  );
}
