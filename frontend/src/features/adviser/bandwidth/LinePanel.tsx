import type { Bandwidth } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { CapacityForm } from "./CapacityForm";
import { rateText, spanText, WINDOWS } from "./rates";

type Load = Bandwidth["loads"][number];

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

const COLUMNS = [
  nameColumn<Load>("Time", ({ window }) => WINDOWS[window]),
  figure<Load>("Load, computed", ({ low, high }) =>
    low === null || high === null ? null : spanText({ low, high }),
  ),
  figure<Load>("Of the capacity", ({ share }) => (share === null ? null : percent(share))),
];
const WHY = column<Load>("Why unknown", ({ reason }) => <span className="dim">{reason}</span>);

const lineText = ({ line }: Bandwidth) => {
  if (line.kind === "unknown") return `Unknown. ${line.reason}`;
  return line.kind === "across"
    ? `From segment ${line.sender} to segment ${line.receiver}`
    : `All that ${line.sender} sends, as there is one segment`;
};

function growthText({ growth }: Bandwidth): string {
  if (growth.per_day === null || growth.now_bytes_per_s === null)
    return `Unknown. ${growth.reason}`;
  const sign = growth.per_day < 0 ? "−" : "+";
  const error = rateText(growth.error ?? 0);
  const slope = `${sign}${rateText(Math.abs(growth.per_day))} each day (± ${error})`;
  const now = `${rateText(growth.now_bytes_per_s)} of write-sets now`;
  return `${slope} by the averages of ${growth.days} days; ${now}`;
}

const HEADINGS: Record<Bandwidth["until_full"]["state"], string> = {
  known: "",
  reached: "Reached.",
  not_growing: "No time.",
  beyond: "",
  unknown: "Unknown.",
};

function untilText({ until_full: { state, days, reason } }: Bandwidth): string {
  const first =
    days !== null && state === "known" ? `About ${formatNumber(Math.round(days))} days.` : "";
  return [first, HEADINGS[state], reason].filter(Boolean).join(" ");
}

/** The load of the line against its capacity, and until when it suffices. */
export function LinePanel({ found }: { found: Bandwidth }) {
  const { capacity } = found;
  return (
    <Panel title="The line and its capacity">
      <div className="stack">
        <DescriptionList
          items={[
            ["Line", lineText(found)],
            [
              "Capacity",
              capacity && (
                <>
                  {formatNumber(capacity.mbit_per_s)} Mbit/s, entered by {capacity.by}{" "}
                  <Timestamp at={capacity.at} />
                </>
              ),
            ],
            ["Growth of the writes", growthText(found)],
            ["Until 80 % in the busiest hour", untilText(found)],
          ]}
        />
        <CapacityForm found={found} />
        <FigureTable
          caption="Load of the line"
          columns={found.loads.some(({ reason }) => reason) ? [...COLUMNS, WHY] : COLUMNS}
          rows={found.loads}
          empty="No load is known."
        />
        <p className="dim">
          The share is that of the upper bound. A state transfer takes what is left of the line: a
          commit took twice as long meanwhile (measured). A load of up to 80 % leaves room for it.
          One week does not tell growth from the difference between its days.
        </p>
      </div>
    </Panel>
  );
}
