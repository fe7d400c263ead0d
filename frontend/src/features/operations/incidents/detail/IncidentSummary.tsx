import type { Incident } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

const SCOPES: Record<Incident["scope_kind"], string> = {
  site: "Site",
  node: "Node",
  links: "Links chosen by an operator",
};

/** What was lost, and who decided what. */
export function IncidentSummary({ incident }: { incident: Incident }) {
  const { created_by, created_at, confirmed_by, confirmed_at, approved_by, reason } = incident;
  return (
    <Panel title="Decisions">
      <DescriptionList
        items={[
          ["Lost", `${SCOPES[incident.scope_kind]} ${incident.scope_name}`.trim()],
          [
            "Opened",
            <span key="opened">
              {created_by}, <Timestamp at={created_at} />
            </span>,
          ],
          [
            "Confirmed",
            confirmed_at === null ? (
              "not yet"
            ) : (
              <span key="confirmed">
                {confirmed_by}, <Timestamp at={confirmed_at} />
              </span>
            ),
          ],
          ...(approved_by || incident.needs_approval
            ? [["Approved", approved_by ?? "not yet"] as const]
            : []),
          ["Reason", reason || "none"],
          ["Digest", incident.digest ? <code key="digest">{incident.digest}</code> : "none"],
        ]}
      />
    </Panel>
  );
}
