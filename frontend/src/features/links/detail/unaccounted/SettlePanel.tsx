import { Button, Checkbox } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { type Column, column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

/** What is listed now and selected: what was settled meanwhile is not selected any more. */
function useChosen(all: ReadonlySet<string>) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    chosen: new Set([...keys].filter((key) => all.has(key))),
    toggle: (key: string) =>
      setKeys(new Set(keys.has(key) ? [...keys].filter((other) => other !== key) : [...keys, key])),
    choose: setKeys,
  };
}

/** Shows the section where the address names it, also where it appears only after the page. */
function useShownByAddress(id: string) {
  const section = useRef<HTMLDivElement>(null);
  const isNamed = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => {
    if (!isNamed) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView();
  }, [isNamed]);
  return section;
}

interface SettlePanelProps<Row> {
  /** The hash of its address. */
  id: string;
  title: string;
  /** "2 transactions" */
  count: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What a row is settled by; null where it cannot be settled yet. */
  choiceOf: (row: Row) => string | null;
  nameOf: (row: Row) => string;
  /** "transactions" */
  noun: string;
  notes?: readonly string[];
  form: (chosen: ReadonlySet<string>, close: () => void) => ReactNode;
}

/** A list of what is to be settled, of which an operator selects some. */
export function SettlePanel<Row>(props: SettlePanelProps<Row>) {
  const { id, title, count, rows, rowKey, choiceOf, nameOf, noun, notes = [], form } = props;
  const section = useShownByAddress(id);
  const refusal = useRefusal("run");
  const all = new Set(rows.map(choiceOf).filter((choice) => choice !== null));
  const { chosen, toggle, choose } = useChosen(all);
  const select = column<Row>("Select", (row) => {
    const choice = choiceOf(row);
    return (
      choice !== null && (
        <Checkbox
          aria-label={`Select ${nameOf(row)}`}
          checked={chosen.has(choice)}
          onChange={() => toggle(choice)}
        />
      )
    );
  });
  const columns = refusal === null ? [select, ...props.columns] : props.columns;
  const isWhole = chosen.size === all.size;
  return (
    <div ref={section} id={id} tabIndex={-1}>
      <Panel tone="bad" title={title} aside={count}>
        <div className="stack">
          <DataTable caption={title} columns={columns} rows={rows} rowKey={rowKey} empty="" />
          {notes.map((text) => (
            <p key={text} className="dim">
              {text}
            </p>
          ))}
          <div className="row end">
            {refusal === null && all.size > 1 && (
              <Button size="xs" variant="subtle" onClick={() => choose(isWhole ? new Set() : all)}>
                {isWhole ? "Select none" : "Select all"}
              </Button>
            )}
            <ChangeDialog
              label="Settle"
              title={`Settle ${noun}`}
              disabledReason={refusal ?? (chosen.size === 0 ? `Select ${noun} first.` : null)}
            >
              {(close) => form(chosen, close)}
            </ChangeDialog>
          </div>
        </div>
      </Panel>
    </div>
  );
}
