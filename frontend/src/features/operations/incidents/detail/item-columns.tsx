import type { ReactNode } from "react";
import type { IncidentItem } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { itemStatus } from "@/domain/incidents";
import { operationLabel } from "@/domain/operations";
import { pluralize } from "@/lib/format/number";
import { type Column, column, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Incident.module.css";

function LinkCell({ item }: { item: IncidentItem }) {
  return (
    <>
      <AppLink to="/links/$linkId" params={{ linkId: item.link_id }}>
        {item.link_name}
      </AppLink>
      <div className="dim">{item.why}</div>
    </>
  );
}

function RiskCell({ item }: { item: IncidentItem }) {
  return (
    <>
      <span className="nowrap">
        {item.at_risk === null
          ? "unknown"
          : `${item.kind === "failover" && item.at_risk > 0 ? "at least " : ""}${pluralize(item.at_risk, "transaction")}`}
      </span>
      {item.outage_since && (
        <div className="dim nowrap">
          since <Timestamp at={item.outage_since} />
        </div>
      )}
    </>
  );
}

const PROVEN = new Map<boolean | null, string>([
  [true, "position proven"],
  [false, "position not proven"],
]);

function OperationCell({ item }: { item: IncidentItem }) {
  if (item.kind === null) return <span className="dim">none</span>;
  const rule = item.requires_approval ? "needs a second person" : "";
  const details = [item.target, PROVEN.get(item.is_proven), rule].filter(Boolean).join(", ");
  return (
    <>
      {item.plan_id ? (
        <AppLink to="/plans/$planId/plan" params={{ planId: item.plan_id }}>
          {item.label || operationLabel(item.kind)}
        </AppLink>
      ) : (
        item.label || operationLabel(item.kind)
      )}
      {details && <div className="dim">{details}</div>}
    </>
  );
}

function StateCell({ item }: { item: IncidentItem }) {
  const status = itemStatus(item.state);
  return (
    <>
      <StatusChip tone={status.tone}>{status.word}</StatusChip>
      {item.state !== "ready" && <div className="dim">{item.sentence}</div>}
      {item.state === "ready" && item.plan_expires_at && (
        <div className="dim">
          until <TimeUntil at={item.plan_expires_at} />
        </div>
      )}
      {item.state === "refused" && item.plan_id && (
        <div>
          <AppLink to="/plans/$planId/plan" params={{ planId: item.plan_id }}>
            View reasons and remedies
          </AppLink>
        </div>
      )}
      {item.run_id && (
        <div>
          <AppLink to="/runs/$runId" params={{ runId: item.run_id }}>
            View run
          </AppLink>
        </div>
      )}
    </>
  );
}

/** The columns of the links; `order` are the links that are not left out, `controls` change the order. */
export function itemColumns(
  order: readonly string[],
  controls: (item: IncidentItem) => ReactNode,
): Column<IncidentItem>[] {
  return [
    nameColumn("Link", (item) => <LinkCell item={item} />),
    column("Order", (item) => {
      const place = order.indexOf(item.link_id);
      return (
        <div className={css.order}>
          <span>{place < 0 ? "–" : place + 1}</span>
          {controls(item)}
        </div>
      );
    }),
    column("Not replicated", (item) => <RiskCell item={item} />),
    column("Operation", (item) => <OperationCell item={item} />),
    column("Data loss", (item) => item.loss_text),
    column("State", (item) => <StateCell item={item} />),
  ];
}
