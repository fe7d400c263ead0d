import { Button } from "@mantine/core";
import type { LinkDetail, PlanKind, PlanWish } from "@/api/types";
import { offNodeName } from "@/components/candidates";
import { FactsAge, isStale, useAge } from "@/components/clock";
import { Findings } from "@/components/Findings";
import { FlowFrame, flowTitle } from "@/components/FlowFrame";
import { Go } from "@/components/Go";
import { LinkPicture } from "@/components/LinkPicture";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import { WhyNot } from "@/components/WhyNot";
import { counted } from "@/lib/numbers";
import { statusOf } from "@/lib/tone";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { reasonToSend } from "./planText";
import { checksUrl, flowUrl, useLinkFlow, usePlanning } from "./useFlow";

interface NextProps {
  link: LinkDetail;
  kind: PlanKind;
  because: string | null;
  targetUrl: string;
  offNode: string | null;
}

/** A relocation goes on to its target; a cleaning has nothing to choose and is planned at once. */
function Next({ link, kind, because, targetUrl, offNode }: NextProps) {
  const planning = usePlanning(link.id, checksUrl);
  const wish: PlanWish = {
    kind: "clean",
    reason: reasonToSend(""),
    options: link.primary_action?.url_options ?? {},
  };
  if (kind === "relocate")
    return (
      <WhyNot because={because} to={targetUrl}>
        Choose where the channels go
      </WhyNot>
    );
  return (
    <>
      {planning.isError && <ProblemNotice error={planning.error} doing="Planning" />}
      <WhyNot because={because} onClick={() => planning.mutate(wish)} loading={planning.isPending}>
        Check what {offNode ?? "the old holder"} still runs
      </WhyNot>
    </>
  );
}

function Situation({
  link,
  readAt,
  kind,
  targetUrl,
}: {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  targetUrl: string;
}) {
  const age = useAge(link.age_s, readAt);
  const stale = isStale(age);
  const offNode = offNodeName(link);
  const because = link.active_run
    ? "A run is under way on this link."
    : stale
      ? "The facts are older than 5 s; wait until they are read again."
      : null;
  return (
    <FlowFrame
      title={flowTitle(kind, link.name, offNode)}
      place={{ step: "situation", kind, linkId: link.id, plan: null, run: null }}
      right={<FactsAge ageS={age} />}
    >
      <Statement
        tone={stale ? "unknown" : statusOf("link", link.state).tone}
        stale={stale}
        sentence={link.sentence}
        detail={link.detail}
        actions={
          <>
            <Button variant="default" component={Go} to={`/links/${link.id}`}>
              Back to the link
            </Button>
            <Next
              link={link}
              kind={kind}
              because={because}
              targetUrl={targetUrl}
              offNode={offNode}
            />
          </>
        }
      />
      {link.active_run && (
        <Statement
          tone="info"
          sentence="A run is already under way on this link."
          actions={<Go to={`/runs/${link.active_run.id}`}>Watch it</Go>}
        />
      )}
      <div className="with-aside">
        <Panel title="How it stands">
          <LinkPicture link={link} ageS={age} stale={stale} />
        </Panel>
        <Panel title="What is found" aside={counted(link.findings.length, "finding")}>
          <Findings findings={link.findings} />
        </Panel>
      </div>
    </FlowFrame>
  );
}

export function SituationPage() {
  const { linkId, search, query, kind } = useLinkFlow("situation");
  const { source_node, replica_node } = search;
  return (
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => (
        <Situation
          link={link}
          readAt={query.dataUpdatedAt}
          kind={kind}
          targetUrl={flowUrl(linkId, "target", { source_node, replica_node })}
        />
      )}
    </Loaded>
  );
}
