import type { ComponentType } from "react";
import type { LinkDetail, PlanKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { firstStepLink } from "@/components/workflow/step-link";
import { isStale, withCurrentAge } from "@/domain/freshness";
import type { TargetedKind } from "@/domain/operation-kinds";
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

const TARGETS: Record<TargetedKind, ComponentType<TargetProps>> = {
  relocate: RelocateTarget,
  switchover: SwitchoverTarget,
  failover: FailoverTarget,
  reprotect: ReprotectTarget,
  create_channels: CreateChannelsTarget,
  node_maintenance: MaintenanceTarget,
  rotate_passwords: PasswordsTarget,
};

function Choices({ kind, ...props }: TargetProps & { kind: PlanKind }) {
  const Target = kind in TARGETS && TARGETS[kind as TargetedKind];
  if (Target) return <Target {...props} />;
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
