import type { HostComparison, HostSettingRow, HostSettings } from "@/api/types";
import { LAYOUT_LABELS } from "@/domain/configuration";
import { pluralize } from "@/lib/format/number";
import { CommandBlock } from "@/ui/CommandBlock";
import { column, DataTable, nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { TextBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";

const JUDGEMENTS = {
  change: { tone: "info", word: "change advised" },
  right: { tone: "ok", word: "as recommended" },
  not_advised: { tone: "neutral", word: "no change advised" },
} as const;

const recommendedOf = ({ recommended, is_minimum: isMinimum }: HostSettingRow) =>
  recommended === null ? "–" : `${isMinimum ? "at least " : ""}${recommended}`;

function Details({ row }: { row: HostSettingRow }) {
  return (
    <div className="stack">
      <DescriptionList
        items={[
          ["Why", row.why],
          ...(row.effect ? ([["Measured effect", row.effect]] as const) : []),
          ...(row.based_on ? ([["Source", row.based_on]] as const) : []),
        ]}
      />
      {row.statement && (
        <>
          <CommandBlock text={row.statement} label={`statement: ${row.name}`} />
          <details>
            <summary>Undo</summary>
            <CommandBlock text={row.undo} label={`undo: ${row.name}`} />
          </details>
        </>
      )}
    </div>
  );
}

function Rows({ rows, caption }: { rows: readonly HostSettingRow[]; caption: string }) {
  return (
    <DataTable<HostSettingRow>
      caption={caption}
      rows={rows}
      rowKey={({ name }) => name}
      empty="The text has none of the settings that are compared."
      detailsLabel={({ name }) => name}
      details={(row) => <Details row={row} />}
      columns={[
        nameColumn("Setting", ({ name }) => name, { mono: true }),
        column("Value", ({ current }) => current, { mono: true }),
        column("Recommended", (row) => recommendedOf(row), { mono: true }),
        column("Status", ({ judgement }) => (
          <StatusChip tone={JUDGEMENTS[judgement].tone}>{JUDGEMENTS[judgement].word}</StatusChip>
        )),
      ]}
    />
  );
}

interface HostComparisonProps {
  comparison: HostComparison;
  profile: HostSettings["profile"];
}

/** The settings of one host beside what is recommended, and the lines that keep them. */
export function HostComparisonView({ comparison, profile }: HostComparisonProps) {
  const { host, rows, missing, fragment } = comparison;
  const changes = rows.filter(({ judgement }) => judgement === "change");
  const name = host || "The host";
  return (
    <div className="stack">
      <p role="status" className="strong">
        {name}, compared with {profile === "unknown" ? "no profile" : LAYOUT_LABELS[profile]}:{" "}
        {pluralize(changes.length, "setting")} to change.
      </p>
      {profile === "unknown" && (
        <p className="dim">Choose a profile above: most settings matter only over distance.</p>
      )}
      {profile === "one_site" && (
        <p className="dim">
          Does the host carry a channel from another site? Then compare with two sites.
        </p>
      )}
      {missing.length > 0 && (
        <p className="dim">
          Unknown, because the text lacks them: <span className="mono">{missing.join(", ")}</span>
        </p>
      )}
      <Rows rows={rows} caption={host ? `Network settings of ${host}` : "Network settings"} />
      {fragment && (
        <>
          <p className="dim">
            A statement lasts until the host restarts. These lines keep all changes.
          </p>
          <TextBlock
            text={fragment}
            label={`lines for /etc/sysctl.d/60-hawser.conf${host ? ` on ${host}` : ""}`}
          />
        </>
      )}
    </div>
  );
}
