import type { LinkDetail, PlanKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { DataAge } from "@/components/DataAge";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useDataAge } from "@/components/use-data-age";
import { firstStepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { isStale, withCurrentAge } from "@/domain/freshness";
import { operationTitle } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { useWorkflowParams } from "@/features/operations/shared/use-create-plan";
import type { RequestedNodes, TargetProps } from "@/features/operations/target/types";
import { Callout } from "@/ui/Callout";
import { FailoverTarget } from "./FailoverTarget";
import { RelocateTarget } from "./RelocateTarget";
import { ReprotectTarget } from "./ReprotectTarget";
import { SwitchoverTarget } from "./SwitchoverTarget";

function Choices({ kind, ...props }: TargetProps & { kind: PlanKind }) {
  switch (kind) {
    case "relocate":
      return <RelocateTarget {...props} />;
    case "switchover":
      return <SwitchoverTarget {...props} />;
    case "failover":
      return <FailoverTarget {...props} />;
    case "reprotect":
      return <ReprotectTarget {...props} />;
    case "start_channel":
    case "remove_stray_channel":
    case "failback":
    case "accept_state_uuid":
      return (
        <Callout
          tone="neutral"
          title="There is nothing to choose for this act."
          actions={
            <AppLink {...firstStepLink("situation", props.link.id, kind)}>To the situation</AppLink>
          }
        />
      );
  }
}

function Target(props: {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  asked: RequestedNodes;
}) {
  const { readAt, kind, asked } = props;
  const age = useDataAge(props.link.age_s, readAt);
  const link = withCurrentAge(props.link, age);
  return (
    <WorkflowLayout
      title={operationTitle(kind, currentParticipants(kind, link))}
      location={{ step: "target", kind, linkId: link.id, plan: null, run: null }}
      right={<DataAge ageS={age} />}
    >
      <Choices kind={kind} link={link} ageS={age} stale={isStale(age)} asked={asked} />
    </WorkflowLayout>
  );
}

export function TargetPage() {
  const { search, query, kind } = useWorkflowParams("target");
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link">
      {(link) => (
        <Target key={kind} link={link} readAt={query.dataUpdatedAt} kind={kind} asked={search} />
      )}
    </QueryBoundary>
  );
}
