import type { LinkDetail, PlanKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { firstStepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { isStale, withCurrentAge } from "@/domain/freshness";
import { operationLabel, operationTitle } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { CurrentDataAge } from "@/features/operations/shared/CurrentDataAge";
import { useAgeOnceStale } from "@/features/operations/shared/use-age-once-stale";
import { useWorkflowParams } from "@/features/operations/shared/use-workflow-params";
import { Callout } from "@/ui/Callout";
import { CreateChannelsTarget } from "./CreateChannelsTarget";
import { FailoverTarget } from "./FailoverTarget";
import { RelocateTarget } from "./RelocateTarget";
import { ReprotectTarget } from "./ReprotectTarget";
import { SwitchoverTarget } from "./SwitchoverTarget";
import type { RequestedNodes, TargetProps } from "./types";

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
    case "create_channels":
      return <CreateChannelsTarget {...props} />;
    case "start_channel":
    case "remove_stray_channel":
    case "remove_channels":
    case "failback":
    case "accept_state_uuid":
      return (
        <Callout
          tone="neutral"
          title="This operation has no target to choose."
          actions={
            <AppLink {...firstStepLink("situation", props.link.id, kind)}>Go to situation</AppLink>
          }
        />
      );
  }
}

function Target(props: {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  requested: RequestedNodes;
}) {
  const { readAt, kind, requested } = props;
  const age = useAgeOnceStale(props.link.age_s, readAt);
  const link = withCurrentAge(props.link, age);
  return (
    <WorkflowLayout
      title={operationTitle(kind, currentParticipants(kind, link))}
      location={{ step: "target", kind, linkId: link.id, plan: null, run: null }}
      right={<CurrentDataAge link={props.link} readAt={readAt} />}
    >
      <Choices kind={kind} link={link} ageS={age} stale={isStale(age)} requested={requested} />
    </WorkflowLayout>
  );
}

export function TargetPage() {
  const { search, query, kind } = useWorkflowParams("target");
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading={operationLabel(kind)}>
      {(link) => (
        <Target
          key={kind}
          link={link}
          readAt={query.dataUpdatedAt}
          kind={kind}
          requested={search}
        />
      )}
    </QueryBoundary>
  );
}
