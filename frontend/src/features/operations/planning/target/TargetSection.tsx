import type { LinkDetail, PlanKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { firstStepLink } from "@/components/workflow/step-link";
import { isStale, withCurrentAge } from "@/domain/freshness";
import { useAgeOnceStale } from "@/features/operations/planning/shared/use-age-once-stale";
import { Callout } from "@/ui/Callout";
import { CreateChannelsTarget } from "./CreateChannelsTarget";
import { FailoverTarget } from "./FailoverTarget";
import { MaintenanceTarget } from "./MaintenanceTarget";
import { PasswordsTarget } from "./PasswordsTarget";
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
    case "node_maintenance":
      return <MaintenanceTarget {...props} />;
    case "rotate_passwords":
      return <PasswordsTarget {...props} />;
    case "start_channel":
    case "remove_stray_channel":
    case "remove_channels":
    case "failback":
    case "accept_state_uuid":
    case "configure":
    case "fence_standby":
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

/** What an operation lets its user choose, and the button that creates the plan. */
export function TargetSection(props: {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  requested: RequestedNodes;
}) {
  const { readAt, kind, requested } = props;
  const age = useAgeOnceStale(props.link.age_s, readAt);
  const link = withCurrentAge(props.link, age);
  return <Choices kind={kind} link={link} ageS={age} stale={isStale(age)} requested={requested} />;
}
