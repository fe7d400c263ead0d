import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { formatDuration } from "@/lib/format/time";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Run.module.css";

interface Side {
  name: string;
  role: ReactNode;
  detail: string;
}

type Roles = NonNullable<Run["roles_after"]>;
type Pause = NonNullable<Run["write_pause"]>;

function sidesOf({ kind }: Run, roles: Roles): Side[] {
  const { active, standby, is_swapped, is_opened_by_run } = roles;
  const opened = is_opened_by_run ? "made writable by this run" : "was writable before the run";
  const isInvalidated = kind === "failover" && is_swapped;
  return [
    {
      name: active.name,
      role: <StatusChip tone="ok">{is_swapped ? "now active" : "active"}</StatusChip>,
      detail: is_swapped ? opened : "as before this run",
    },
    {
      name: standby.name,
      role: isInvalidated ? (
        <StatusChip tone="bad">invalidated</StatusChip>
      ) : (
        <StatusChip tone="neutral">standby</StatusChip>
      ),
      detail: isInvalidated
        ? "cannot be a replication source until it is reconciled"
        : `replicates from ${active.name}`,
    },
  ];
}

const COLUMNS: readonly Column<Side>[] = [
  nameColumn("Cluster", (side) => <b>{side.name}</b>),
  column("Role", (side) => side.role),
  column("Details", (side) => side.detail),
];

function pauseDetail({ state, ended_by }: Pause): string {
  if (state === "unknown") return "this run neither made a side writable nor removed its fences";
  return ended_by === "reverted"
    ? "from the first fence until the fences were removed"
    : "from the first fence until the active side was writable";
}

/** The roles of the two clusters after a run, and how long writes were paused. */
export function RolesPanel({ run }: { run: Run }) {
  const { roles_after: roles, write_pause: pause } = run;
  if (roles === null && pause === null) return null;
  return (
    <Panel title="Roles and write pause">
      {roles && (
        <DataTable
          caption="Clusters after the run"
          columns={COLUMNS}
          rows={sidesOf(run, roles)}
          rowKey={(side) => side.name}
          empty="unknown"
        />
      )}
      {pause && (
        <p className="note">
          Write pause:{" "}
          <span className={css.pause}>
            {pause.duration_s === null ? "unknown" : formatDuration(pause.duration_s)}
          </span>
          , {pauseDetail(pause)}
        </p>
      )}
    </Panel>
  );
}
