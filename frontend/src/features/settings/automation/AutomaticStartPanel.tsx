import { Button, Checkbox, NumberInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { automaticStartQuery } from "@/api/resources/automation";
import type { AutomaticStart } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { LastAction } from "./AutomationPanel";

/** Whether a channel that stopped without an error is started without a person, and how often at most. */
export function AutomaticStartPanel({ linkId, start }: { linkId: string; start: AutomaticStart }) {
  const [enabled, setEnabled] = useState(start.enabled);
  const [most, setMost] = useState(start.most_per_hour);
  const may = useCan("configure");
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () => commands.setAutomaticStart(linkId, { enabled, most_per_hour: most }),
    onSuccess: (saved) => client.setQueryData(automaticStartQuery(linkId).queryKey, saved),
  });
  const changed = enabled !== start.enabled || most !== start.most_per_hour;
  return (
    <Panel title="Automatic start" aside="of a channel that stopped without an error">
      <div className="stack">
        <LastAction automation={start} />
        <Checkbox
          label="Start it where it stands, its place proven first"
          description="Only where the SQL thread ended without an error and the channel still reads, for 10 s."
          checked={enabled}
          disabled={!may}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <NumberInput
          label="At most so many times an hour"
          description={`${start.starts.length} in the last hour; beyond it a person is told`}
          value={most}
          min={1}
          max={60}
          disabled={!may}
          onChange={(value) => setMost(typeof value === "number" ? value : start.most_per_hour)}
        />
        {set.isError && <ProblemAlert error={set.error} action="Setting it" />}
        {may ? (
          <div className="row end">
            <Button
              variant="default"
              disabled={!changed}
              loading={set.isPending}
              onClick={() => set.mutate()}
            >
              {enabled ? "Let Hawser start it by itself" : "Switch the automatic start off"}
            </Button>
          </div>
        ) : (
          <p className="faint">An administrator sets this.</p>
        )}
      </div>
    </Panel>
  );
}
