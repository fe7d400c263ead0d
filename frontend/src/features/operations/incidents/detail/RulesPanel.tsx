import { Checkbox, NumberInput } from "@mantine/core";
import { useOrderIncident } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";

const MOST_AT_ONCE = 8;
const FIXED =
  "Always on with a failover or a reprotect: if one fails, the site may not be lost or not fenced for the other links either.";
const STOPS = "What has started ends by its own rules.";

/** How many operations run at once, and whether a failure stops the incident. */
export function RulesPanel({ incident }: { incident: Incident }) {
  const mayPlan = useCan("plan");
  const ordering = useOrderIncident(incident.id);
  const isFixed = !mayPlan || incident.state !== "planned";
  return (
    <Panel title="Rules" {...(isFixed ? { aside: "as confirmed" } : {})}>
      <div className="stack attest">
        {ordering.isError && <ProblemAlert error={ordering.error} action="change the rules" />}
        <NumberInput
          label="Operations at once"
          description="1 to 8. The operations within this limit start together"
          min={1}
          max={MOST_AT_ONCE}
          clampBehavior="strict"
          allowDecimal={false}
          disabled={isFixed}
          value={incident.at_once}
          onChange={(value) => {
            if (typeof value === "number" && value !== incident.at_once)
              ordering.mutate({ at_once: value });
          }}
        />
        <Checkbox
          label="Start nothing more after the first failure"
          description={incident.is_stop_fixed ? FIXED : STOPS}
          disabled={isFixed || incident.is_stop_fixed}
          checked={incident.stop_at_failure}
          onChange={(event) => ordering.mutate({ stop_at_failure: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}
