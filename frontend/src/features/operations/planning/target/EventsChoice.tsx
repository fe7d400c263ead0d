import { Checkbox } from "@mantine/core";
import type { PlanOptions } from "@/api/types";
import { Panel } from "@/ui/Panel";

interface EventsChoiceProps {
  /** The side that is active before. */
  from: string;
  /** The side that is active afterwards. */
  to: string;
  options: PlanOptions;
  onChange: (options: PlanOptions) => void;
}

/** Whether events follow the active side. */
export function EventsChoice({ from, to, options, onChange }: EventsChoiceProps) {
  return (
    <Panel title="Events" aside="of the event scheduler">
      <Checkbox
        label="Leave events as they are"
        description={`By default, an event that runs on ${from} runs on one node of ${to} afterwards. The operator account needs EVENT on its schema, and SET USER for another definer. The plan lists every event.`}
        checked={options.events === "leave"}
        onChange={(event) =>
          onChange({ ...options, events: event.currentTarget.checked ? "leave" : undefined })
        }
      />
    </Panel>
  );
}
