import { Checkbox } from "@mantine/core";
import { useSwitchLabLoad } from "@/api/resources/lab";
import type { Lab } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";

/** What the load does in addition to plain writes on the active side; a running load follows at once. */
export function LoadSwitches({ load }: { load: Lab["load"] }) {
  const act = useSwitchLabLoad();
  return (
    <div className="stack">
      <Checkbox
        label="Writes on both sides"
        description="Off: the application follows the active side, as behind a proxy. On: it writes on every site that accepts writes."
        checked={load.both_sides}
        disabled={act.isPending}
        onChange={(event) => act.mutate({ both_sides: event.currentTarget.checked })}
      />
      <Checkbox
        label="Schema changes"
        description="On: the application also creates or alters a table every 30 s, wherever it writes."
        checked={load.schema_changes}
        disabled={act.isPending}
        onChange={(event) => act.mutate({ schema_changes: event.currentTarget.checked })}
      />
      {act.isError && <ProblemAlert error={act.error} action="change the load" />}
    </div>
  );
}
