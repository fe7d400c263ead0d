import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { LinkRow } from "@/api/types";
import { groupTitle } from "@/domain/fleet/texts";
import { groupsOf, type LinkView } from "@/domain/fleet/view";
import { Panel } from "@/ui/Panel";
import type { Selection } from "@/ui/row-selection";
import { VirtualDataTable } from "@/ui/VirtualDataTable";
import css from "./Fleet.module.css";
import { useFleetColumns } from "./use-fleet-columns";

interface FleetTableProps {
  /** Filtered and sorted. */
  rows: readonly LinkRow[];
  view: LinkView;
  selection: Selection;
  change: (view: LinkView) => void;
}

const keyOf = ({ id }: LinkRow) => id;
const nameOf = ({ name }: LinkRow) => name;

/** The links as rows, in groups. */
export function FleetTable({ rows, view, selection, change }: FleetTableProps) {
  const navigate = useNavigate();
  const isPhone = useMediaQuery("(max-width: 600px)", false, { getInitialValueInEffect: false });
  const { sort, desc, group = "attention" } = view;
  const columns = useFleetColumns({ sort, desc, change, isSortable: !isPhone });
  const groups = useMemo(
    () =>
      groupsOf(rows, group).map((found) => ({
        key: found.key,
        rows: found.rows,
        ...(group === "none" ? {} : { title: groupTitle(group, found.key, found.rows.length) }),
      })),
    [rows, group],
  );
  return (
    <Panel className={css.table ?? ""}>
      <VirtualDataTable
        caption="Links"
        columns={columns}
        groups={groups}
        rowKey={keyOf}
        rowLabel={nameOf}
        selection={selection}
        open={({ id }) => void navigate({ to: "/links/$linkId", params: { linkId: id } })}
      />
    </Panel>
  );
}
