import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

/** Who requested and approved a run, when, and why. */
export function RunDetailsPanel({ run }: { run: Run }) {
  return (
    <Panel title="Details">
      <DescriptionList
        items={[
          ["Requested by", run.requested_by],
          ["Approved by", run.approved_by ?? "no approval required"],
          ["Reason", run.reason],
          ["Confirmed", <Timestamp key="c" at={run.created_at} />],
          ["Ended", <Timestamp key="e" at={run.ended_at} />],
          ["Request ID", <code key="r">{run.request_id}</code>],
          [
            "Audit log",
            <AppLink key="a" to="/audit" search={{ run: run.id }}>
              View records of this run
            </AppLink>,
          ],
        ]}
      />
    </Panel>
  );
}
