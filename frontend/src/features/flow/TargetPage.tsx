import type { LinkDetail, PlanKind } from "@/api/types";
import { aged } from "@/components/aged";
import { castNow } from "@/components/cast";
import { FactsAge, isStale, useAge } from "@/components/clock";
import { FlowFrame } from "@/components/FlowFrame";
import { Go } from "@/components/Go";
import { Loaded } from "@/components/Loaded";
import { type OrphanWay, titleOf } from "@/lib/kinds";
import { Statement } from "@/ui/Statement";
import { FailoverTarget } from "./FailoverTarget";
import { RelocateTarget } from "./RelocateTarget";
import { ReprotectTarget } from "./ReprotectTarget";
import { SwitchoverTarget } from "./SwitchoverTarget";
import { flowUrl, useLinkFlow } from "./useFlow";

/** What the address has chosen so far. */
export interface Asked {
  source_node?: string | undefined;
  replica_node?: string | undefined;
  orphans?: OrphanWay | undefined;
}

export interface TargetProps {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
  asked: Asked;
}

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
        <Statement
          tone="neutral"
          sentence="There is nothing to choose for this act."
          actions={<Go to={flowUrl(props.link.id, kind, "situation", {})}>To the situation</Go>}
        />
      );
  }
}

function Target(props: { link: LinkDetail; readAt: number; kind: PlanKind; asked: Asked }) {
  const { readAt, kind, asked } = props;
  const age = useAge(props.link.age_s, readAt);
  const link = aged(props.link, age);
  return (
    <FlowFrame
      title={titleOf(kind, castNow(kind, link))}
      place={{ step: "target", kind, linkId: link.id, plan: null, run: null }}
      right={<FactsAge ageS={age} />}
    >
      <Choices kind={kind} link={link} ageS={age} stale={isStale(age)} asked={asked} />
    </FlowFrame>
  );
}

export function TargetPage() {
  const { search, query, kind } = useLinkFlow("target");
  return (
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => (
        <Target key={kind} link={link} readAt={query.dataUpdatedAt} kind={kind} asked={search} />
      )}
    </Loaded>
  );
}
