import { Button, Checkbox, NumberInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { rehearsalScheduleQuery } from "@/api/resources/rehearsals";
import type { RehearsedKind, Schedule } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { Panel } from "@/ui/Panel";
import { REHEARSED } from "./rehearsal-status";

function Next({ schedule }: { schedule: Schedule }) {
  if (!schedule.enabled) return <>Off: nothing is rehearsed by itself.</>;
  if (!schedule.next_at) return <>Next: as soon as a worker is free.</>;
  return (
    <>
      Next: <Timestamp at={schedule.next_at} />
    </>
  );
}

/** When the link is rehearsed by itself. */
export function SchedulePanel({ linkId, schedule }: { linkId: string; schedule: Schedule }) {
  const [enabled, setEnabled] = useState(schedule.enabled);
  const [hours, setHours] = useState<number | "">(schedule.every_hours);
  const [kinds, setKinds] = useState<RehearsedKind[]>(schedule.kinds);
  const may = useCan("configure");
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () =>
      commands.setSchedule(linkId, { enabled, every_hours: hours === "" ? 24 : hours, kinds }),
    onSuccess: (saved) => client.setQueryData(rehearsalScheduleQuery(linkId).queryKey, saved),
  });
  const changed =
    enabled !== schedule.enabled ||
    hours !== schedule.every_hours ||
    [...kinds].sort().join() !== [...schedule.kinds].sort().join();
  return (
    <Panel title="Schedule" aside={<Next schedule={schedule} />}>
      <div className="stack">
        <Checkbox
          label="Rehearse by itself"
          checked={enabled}
          disabled={!may}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <NumberInput
          label="Every so many hours"
          value={hours}
          min={1}
          max={720}
          allowDecimal={false}
          disabled={!may}
          onChange={(value) => setHours(typeof value === "number" ? value : "")}
        />
        <Checkbox.Group
          label="Kinds"
          value={kinds}
          onChange={(values) => setKinds(REHEARSED.filter((kind) => values.includes(kind)))}
        >
          <div className="stack attest">
            {REHEARSED.map((kind) => (
              <Checkbox key={kind} value={kind} label={operationLabel(kind)} disabled={!may} />
            ))}
          </div>
        </Checkbox.Group>
        {set.isError && <ProblemAlert error={set.error} action="Setting the schedule" />}
        {may ? (
          <Button
            variant="default"
            disabled={!changed || hours === ""}
            loading={set.isPending}
            onClick={() => set.mutate()}
          >
            {enabled ? `Rehearse every ${hours || "…"} h` : "Rehearse nothing by itself"}
          </Button>
        ) : (
          <p className="faint">An administrator sets this.</p>
        )}
      </div>
    </Panel>
  );
}
