import { SegmentedControl, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { pauseLink, resumeLink } from "@/api/resources/fleet";
import type { LinkRow } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { pluralize } from "@/lib/format/number";
import { serverNow } from "@/lib/server-clock";
import { BulkResults } from "./BulkResults";
import { useBulkTask } from "./use-bulk-task";

const AT_ONCE = 4;
const DURATIONS = [
  { value: "30", label: "30 min" },
  { value: "120", label: "2 h" },
  { value: "480", label: "8 h" },
  { value: "1440", label: "24 h" },
];

const PAUSED = { tone: "ok" as const, word: "in maintenance", sentence: "" };
const RESUMED = { tone: "ok" as const, word: "ended", sentence: "" };
const untilAfter = (minutes: string) =>
  new Date(serverNow() + Number(minutes) * 60_000).toISOString();

interface BulkMaintenanceProps {
  links: readonly LinkRow[];
  /** Whether it ends the maintenance; else it begins one. */
  isEnd: boolean;
}

/** Begins, or ends, the maintenance of each of the selected links. */
export function BulkMaintenance({ links, isEnd }: BulkMaintenanceProps) {
  const task = useBulkTask(AT_ONCE);
  const [minutes, setMinutes] = useState("30");
  const [typed, setTyped] = useState("");
  const reason = typed.trim();
  const affected = isEnd ? links.filter((link) => link.pause !== null) : links;
  const missing =
    affected.length === 0
      ? "None of the selected links is in maintenance."
      : reason === ""
        ? "Enter a reason for the audit log."
        : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null) return;
    const until = untilAfter(minutes);
    void task.start(affected, async (link) => {
      if (isEnd) await resumeLink(link, { reason });
      else await pauseLink(link, { until, reason });
      return isEnd ? RESUMED : PAUSED;
    });
  };
  return (
    <form onSubmit={submit} className="stack">
      <p className="dim">
        {isEnd
          ? "Webhooks are called again, first with the current state of each link. Automatic operations and scheduled rehearsals can start again."
          : "Until its end the links are observed as before, but no webhook is called, and nothing starts automatically: no relocate, no channel, no scheduled rehearsal. A lost side that returns is fenced all the same."}
      </p>
      {!isEnd && (
        <SegmentedControl
          size="xs"
          aria-label="Duration from now"
          data={DURATIONS}
          value={minutes}
          onChange={setMinutes}
        />
      )}
      <TextInput
        label="Reason"
        description="Recorded in the audit log of each link"
        maxLength={2000}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="row end">
        {missing && <span className="dim grow">{missing}</span>}
        <DisabledReasonButton type="submit" disabledReason={missing} loading={task.isPending}>
          {isEnd ? "End" : "Begin"} maintenance of {pluralize(affected.length, "link")}
        </DisabledReasonButton>
      </div>
      <BulkResults task={task} />
    </form>
  );
}
