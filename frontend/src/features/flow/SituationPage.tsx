import { Button } from "@mantine/core";
import type { LinkDetail, PlanKind, PlanWish } from "@/api/types";
import { castNow } from "@/components/cast";
import { FactsAge, isStale, useAge } from "@/components/clock";
import { Findings } from "@/components/Findings";
import { FlowFrame } from "@/components/FlowFrame";
import { Go } from "@/components/Go";
import { LinkPicture } from "@/components/LinkPicture";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import { WhyNot } from "@/components/WhyNot";
import { type Cast, titleOf, WORDS } from "@/lib/kinds";
import { counted } from "@/lib/numbers";
import { asOf, formatEstimate } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { reasonToSend } from "./planText";
import css from "./Situation.module.css";
import { checksUrl, flowUrl, useLinkFlow, usePlanning } from "./useFlow";

interface NextProps {
  link: LinkDetail;
  kind: PlanKind;
  cast: Cast;
  because: string | null;
  targetUrl: string;
}

/** An act with something to choose goes on to its target; one without is planned at once. */
function Next({ link, kind, cast, because, targetUrl }: NextProps) {
  const planning = usePlanning(link.id, checksUrl);
  const words = WORDS[kind];
  const suggested = link.primary_action?.kind === kind ? link.primary_action.url_options : {};
  const wish: PlanWish = { kind, reason: reasonToSend(""), options: suggested };
  if (words.choose !== null)
    return (
      <WhyNot because={because} to={targetUrl}>
        {words.choose}
      </WhyNot>
    );
  return (
    <>
      {planning.isError && <ProblemNotice error={planning.error} doing="Planning" />}
      <WhyNot because={because} onClick={() => planning.mutate(wish)} loading={planning.isPending}>
        {words.check(cast)}
      </WhyNot>
    </>
  );
}

/** What the act does and costs, and whether it could be done now. */
function WhatItDoes(props: { link: LinkDetail; kind: PlanKind; cast: Cast; stale: boolean }) {
  const { link, kind, cast, stale } = props;
  const words = WORDS[kind];
  const readiness = link.readiness[kind];
  const status = statusOf("readiness", stale ? "unknown" : (readiness?.state ?? "unknown"));
  const expected = stale || readiness?.state !== "ready" ? null : readiness.estimate_s;
  return (
    <Panel title={`What a ${words.noun.toLowerCase()} does`}>
      <ol className={css.does}>
        {words.does(cast).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <p className="dim note">{words.costs(cast)}</p>
      <div className={css.ready}>
        <Chip tone={status.tone}>{status.word}</Chip>
        <span>
          {stale ? "The facts are too old to say." : (readiness?.sentence ?? "Not checked yet.")}
          {expected !== null && ` Expected: ${formatEstimate(expected)}.`}
        </span>
      </div>
    </Panel>
  );
}

interface SituationProps {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  targetUrl: string;
}

function Situation({ link, readAt, kind, targetUrl }: SituationProps) {
  const age = useAge(link.age_s, readAt);
  const stale = isStale(age);
  const cast = castNow(kind, link);
  const because = link.active_run
    ? "A run is under way on this link."
    : stale
      ? "The facts are older than 5 s; wait until they are read again."
      : null;
  return (
    <FlowFrame
      title={titleOf(kind, cast)}
      place={{ step: "situation", kind, linkId: link.id, plan: null, run: null }}
      right={<FactsAge ageS={age} />}
    >
      <Statement
        tone={stale ? "unknown" : statusOf("link", link.state).tone}
        stale={stale}
        sentence={asOf(link.sentence, age)}
        detail={link.detail}
        actions={
          <>
            <Button variant="default" component={Go} to={`/links/${link.id}`}>
              Back to the link
            </Button>
            <Next link={link} kind={kind} cast={cast} because={because} targetUrl={targetUrl} />
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
          <div className={stale ? "stale" : undefined}>
            <LinkPicture link={link} ageS={age} stale={stale} />
          </div>
        </Panel>
        <div className="stack">
          <WhatItDoes link={link} kind={kind} cast={cast} stale={stale} />
          <Panel title="What is found" aside={counted(link.findings.length, "finding")}>
            <div className={stale ? "stale" : undefined}>
              <Findings findings={link.findings} />
            </div>
          </Panel>
        </div>
      </div>
    </FlowFrame>
  );
}

export function SituationPage() {
  const { linkId, search, query, kind } = useLinkFlow("situation");
  const { source_node, replica_node, orphans } = search;
  return (
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => (
        <Situation
          link={link}
          readAt={query.dataUpdatedAt}
          kind={kind}
          targetUrl={flowUrl(linkId, kind, "target", { source_node, replica_node, orphans })}
        />
      )}
    </Loaded>
  );
}
