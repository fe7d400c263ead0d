import { useMemo } from "react";
import type { LinkRow } from "@/api/types";
import { recoveryPointText, recoveryTimeText, SORT_LABELS } from "@/domain/fleet/texts";
import type { LinkView } from "@/domain/fleet/view";
import type { Sort } from "@/domain/fleet/view-options";
import type { SortableColumn } from "@/ui/VirtualDataTable";
import {
  AdviceCell,
  AgedCell,
  DirectionCell,
  GapCell,
  LagCell,
  NameCell,
  ReadinessCell,
  RehearsalCell,
  StateCell,
} from "./cells";

type FleetColumn = Omit<SortableColumn<LinkRow>, "header" | "sort"> & {
  key: Sort;
  header?: string;
};

const COLUMNS: readonly FleetColumn[] = [
  { key: "name", header: "Link", isRowHeader: true, cell: (row) => <NameCell row={row} /> },
  { key: "state", width: "16.5%", cell: (row) => <StateCell row={row} /> },
  { key: "site", header: "Direction", width: "11.5%", cell: (row) => <DirectionCell row={row} /> },
  { key: "lag", width: "7%", cell: (row) => <LagCell row={row} /> },
  { key: "gap", width: "7%", align: "right", cell: (row) => <GapCell row={row} /> },
  {
    key: "readiness",
    header: "Failover",
    width: "11%",
    cell: (row) => <ReadinessCell row={row} />,
  },
  { key: "advice", width: "10%", cell: (row) => <AdviceCell row={row} /> },
  { key: "rehearsal", width: "8.5%", cell: (row) => <RehearsalCell row={row} /> },
  {
    key: "recovery_point",
    width: "8%",
    cell: (row) => <AgedCell row={row} text={recoveryPointText} />,
  },
  {
    key: "recovery_time",
    width: "8%",
    cell: (row) => <AgedCell row={row} text={recoveryTimeText} />,
  },
];

interface Sorting extends Pick<LinkView, "sort" | "desc"> {
  change: (view: LinkView) => void;
  /** On a phone there is no head to sort by. */
  isSortable: boolean;
}

/** A first click on a head sorts by it, a second one reverses, a third one restores the order by urgency. */
function nextSort(key: Sort, { sort, desc }: Pick<LinkView, "sort" | "desc">): LinkView {
  if (sort !== key) return { sort: key, desc: undefined };
  return desc ? { sort: undefined, desc: undefined } : { desc: true };
}

/** The columns of the list, the same array until the sorting changes. */
export function useFleetColumns({ sort, desc, change, isSortable }: Sorting) {
  return useMemo(
    () =>
      COLUMNS.map(
        (column): SortableColumn<LinkRow> => ({
          ...column,
          header: column.header ?? SORT_LABELS[column.key],
          sort: isSortable
            ? {
                order: sort !== column.key ? "none" : desc ? "descending" : "ascending",
                toggle: () => change(nextSort(column.key, { sort, desc })),
              }
            : undefined,
        }),
      ),
    [sort, desc, change, isSortable],
  );
}
