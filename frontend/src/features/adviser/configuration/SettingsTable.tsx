import { Checkbox } from "@mantine/core";
import type { ConfigurationRow } from "@/api/types";
import { ConfigurationStatements } from "@/components/ConfigurationStatements";
import { settingStatus } from "@/domain/configuration";
import { column, DataTable, nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { StatusChip } from "@/ui/StatusChip";

const shown = (value: string | null) => (value === null ? "unknown" : value || "(empty)");

const EFFECTS = { now: "at once", restart: "after a restart", unknown: "unknown" } as const;

/** The value that all nodes have, or that of each. */
function Values({ row }: { row: ConfigurationRow }) {
  const [first] = row.values;
  const isEqual = row.values.every(({ value }) => value === first?.value);
  if (first && isEqual) return <span className="mono">{shown(first.value)}</span>;
  return (
    <div>
      {row.values.map(({ node, value }) => (
        <div key={node}>
          {node}: <span className="mono">{shown(value)}</span>
        </div>
      ))}
    </div>
  );
}

function Status({ row }: { row: ConfigurationRow }) {
  const status = settingStatus(row);
  return status && <StatusChip tone={status.tone}>{status.word}</StatusChip>;
}

function Details({ row }: { row: ConfigurationRow }) {
  const wanted = row.recommendation;
  return (
    <div className="stack">
      {row.note && <p>{row.note}</p>}
      {wanted && (
        <DescriptionList
          items={[
            [
              "Recommended",
              <span key="value" className="mono">
                {shown(wanted.value)}
              </span>,
            ],
            ["Why", wanted.why],
            ["Measured effect", wanted.effect],
            ["Source", wanted.based_on],
          ]}
        />
      )}
      {wanted && <ConfigurationStatements changes={wanted.changes} subject={row.name} />}
    </div>
  );
}

interface SettingsTableProps {
  rows: readonly ConfigurationRow[];
  /** The names of the rows that are to be planned. */
  ticked: ReadonlySet<string>;
  onTick: (name: string) => void;
}

/** Settings with the value of each node, what is recommended, and how it is set. */
export function SettingsTable({ rows, ticked, onTick }: SettingsTableProps) {
  return (
    <DataTable<ConfigurationRow>
      caption="Settings"
      rows={rows}
      rowKey={({ name }) => name}
      empty="No setting differs, and none has a recommendation."
      detailsLabel={({ name }) => name}
      details={(row) => (row.recommendation || row.note ? <Details row={row} /> : null)}
      columns={[
        nameColumn("Setting", ({ name, meaning }) => (
          <>
            <div className="mono">{name}</div>
            <div className="dim">{meaning}</div>
          </>
        )),
        column("Value", (row) => <Values row={row} />),
        column(
          "Recommended",
          ({ recommendation }) => (recommendation ? shown(recommendation.value) : "–"),
          { mono: true },
        ),
        column("Takes effect", ({ takes_effect: effect }) => EFFECTS[effect]),
        column("Status", (row) => <Status row={row} />),
        column("Plan", ({ name, can_be_planned: canBePlanned }) =>
          canBePlanned ? (
            <Checkbox
              aria-label={`Plan the change of ${name}`}
              checked={ticked.has(name)}
              onChange={() => onTick(name)}
            />
          ) : (
            "–"
          ),
        ),
      ]}
    />
  );
}
