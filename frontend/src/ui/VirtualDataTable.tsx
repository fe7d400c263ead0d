import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import table from "./DataTable.module.css";
import type { Selection } from "./row-selection";
import { useRowKeys } from "./use-row-keys";
import css from "./VirtualDataTable.module.css";
import { type SortableColumn, VirtualHead } from "./VirtualHead";
import { GroupRow, VirtualRow } from "./VirtualRow";

export type { SortableColumn } from "./VirtualHead";

export interface RowGroup<Row> {
  key: string;
  /** Left out, the group has no heading. */
  title?: ReactNode;
  rows: readonly Row[];
}

interface VirtualDataTableProps<Row> {
  /** What the table lists, as a noun: the table's name for screen readers. */
  caption: string;
  /** The same array in each render: rows are drawn again only when they change. */
  columns: readonly SortableColumn<Row>[];
  groups: readonly RowGroup<Row>[];
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  selection: Selection;
  /** Enter on a row. */
  open: (row: Row) => void;
}

type Item<Row> = { group: RowGroup<Row> } | { row: Row };

const HEADING_HEIGHT = 38;
const ROW_HEIGHT = 54;
/** Above the visible rows is the head of the table, which stays in view. */
const HEAD_HEIGHT = 40;
const OVERSCAN = 8;

const itemsOf = <Row,>(groups: readonly RowGroup<Row>[]): Item<Row>[] =>
  groups.flatMap((group) => [
    ...(group.title === undefined ? [] : [{ group }]),
    ...group.rows.map((row) => ({ row })),
  ]);

/** Where an element begins on the page, however far that is scrolled. */
function usePageOffset(ref: React.RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const top = ref.current?.getBoundingClientRect().top;
      if (top !== undefined) setOffset(Math.round(top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [ref]);
  return offset;
}

/** Stands for the rows that are not drawn. */
const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 && (
    <tr role="presentation" className={css.spacer}>
      <td role="presentation" colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );

/**
 * A table of many rows, of which only those near the screen are in the document. It scrolls with
 * the page, keeps its head in view, and is walked with the keys of `use-row-keys.ts`. The roles are
 * written out, because on a phone its rows are displayed as cards.
 */
export function VirtualDataTable<Row>(props: VirtualDataTableProps<Row>) {
  const { caption, columns, groups, rowKey, rowLabel, selection, open } = props;
  const items = useMemo(() => itemsOf(groups), [groups]);
  const keyAt = (index: number) => {
    const item = items[index];
    return item === undefined ? "" : "row" in item ? rowKey(item.row) : `group ${item.group.key}`;
  };
  const ref = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => {
      const item = items[index];
      return item && "group" in item ? HEADING_HEIGHT : ROW_HEIGHT;
    },
    getItemKey: keyAt,
    overscan: OVERSCAN,
    scrollMargin: usePageOffset(body),
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const { active, setActive } = useRowKeys({
    table: ref,
    keys: items.map((item, index) => ("row" in item ? keyAt(index) : null)),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    open: (index) => {
      const item = items[index];
      if (item && "row" in item) open(item.row);
    },
    toggle: selection.toggle,
  });
  const shown = virtualizer.getVirtualItems();
  const span = columns.length + 1;
  const above = (shown[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const below =
    virtualizer.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <table
      ref={ref}
      role="grid"
      aria-label={caption}
      aria-multiselectable
      aria-rowcount={items.length + 1}
      className={`${table.table} ${css.table}`}
    >
      <VirtualHead
        columns={columns}
        selection={selection}
        keys={groups.flatMap(({ rows }) => rows.map(rowKey))}
      />
      <tbody role="rowgroup" ref={body}>
        <Spacer height={shown.length > 0 ? above : 0} span={span} />
        {shown.map(({ index, key }) => {
          const item = items[index];
          if (!item) return null;
          return "group" in item ? (
            <GroupRow key={key} index={index} span={span} measure={virtualizer.measureElement}>
              {item.group.title}
            </GroupRow>
          ) : (
            <VirtualRow<Row>
              key={key}
              id={String(key)}
              index={index}
              row={item.row}
              columns={columns}
              label={rowLabel(item.row)}
              isActive={active === key}
              isSelected={selection.keys.has(String(key))}
              toggle={selection.toggle}
              activate={setActive}
              measure={virtualizer.measureElement}
            />
          );
        })}
        <Spacer height={shown.length > 0 ? below : 0} span={span} />
      </tbody>
    </table>
  );
}
