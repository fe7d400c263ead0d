import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { LinkDetail, PlanKind, PlanOptions } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { Go } from "@/components/Go";
import { ProblemNotice } from "@/components/ProblemNotice";
import { WhyNot } from "@/components/WhyNot";
import { Panel } from "@/ui/Panel";
import { reasonToSend } from "./planText";
import { checksUrl, flowUrl, usePlanning } from "./useFlow";

interface AskProps {
  link: LinkDetail;
  kind: PlanKind;
  options: PlanOptions;
  stale: boolean;
  /** What is still to be chosen; null when nothing is. */
  because: string | null;
  words: string;
  children?: ReactNode;
}

/** The right column of every target page: why, and the button that asks the server for the plan. */
export function AskPanel({ link, kind, options, stale, because, words, children }: AskProps) {
  const [reason, setReason] = useState("");
  const planning = usePlanning(link.id, checksUrl);
  const wish = { kind, reason: reasonToSend(reason), options };
  const why = stale ? "The facts are older than 5 s; wait until they are read again." : because;
  return (
    <div className="stack">
      {children}
      <Panel title="Why">
        <TextInput
          label="Reason or ticket"
          description="Goes into the plan, the report and the audit record"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </Panel>
      {planning.isError && <ProblemNotice error={planning.error} doing="Planning" />}
      <WhyNot because={why} loading={planning.isPending} onClick={() => planning.mutate(wish)}>
        {words}
      </WhyNot>
      {why && <p className="dim">{why}</p>}
      <div className="row between">
        <Button variant="default" component={Go} to={flowUrl(link.id, kind, "situation", {})}>
          Back to the situation
        </Button>
        <CurlButton method="POST" path={`/links/${link.id}/plans`} body={wish} />
      </div>
      <p className="faint">The check reads both sides and plans; it changes nothing.</p>
    </div>
  );
}
