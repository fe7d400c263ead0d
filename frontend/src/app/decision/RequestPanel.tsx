import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

/** Who wants what, why, and until when it can be approved. */
export function RequestPanel({ run }: { run: Run }) {
  return (
    <Panel title="Request">
      <DescriptionList
        items={[
          ["Link", run.link_name],
          ["Requested by", run.requested_by],
          ["Requested", <Timestamp key="at" at={run.created_at} />],
          ["Reason", run.reason],
          [
            "Approval expires",
            run.approval_expires_at ? <TimeUntil key="until" at={run.approval_expires_at} /> : "—",
          ],
          ...(run.calendar_override
            ? [
                [
                  "Change calendar",
                  `overridden by ${run.calendar_override.by}: “${run.calendar_override.reason}”`,
                ] as const,
              ]
            : []),
          [
            "Run",
            <AppLink key="run" to="/runs/$runId" params={{ runId: run.id }}>
              View run
            </AppLink>,
          ],
        ]}
      />
    </Panel>
  );
}
