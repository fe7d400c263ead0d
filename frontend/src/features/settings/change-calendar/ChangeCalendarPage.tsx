import { useQuery } from "@tanstack/react-query";
import {
  changeCalendarQuery,
  useDeleteFreeze,
  useDeleteWindow,
} from "@/api/resources/change-calendar";
import { linksQuery } from "@/api/resources/links";
import type { ChangeCalendar, ChangeFreeze, ChangeWindow } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { DeleteEntry } from "./DeleteEntry";
import { linksText, weeklyText } from "./entry-text";
import { FreezeForm } from "./FreezeForm";
import { WindowForm } from "./WindowForm";

const Span = ({ from, until }: { from: string | null; until: string | null }) => (
  <>
    <Timestamp at={from} /> to <Timestamp at={until} />
  </>
);

function LinkNames({ ids }: { ids: readonly string[] }) {
  const { data } = useQuery(linksQuery());
  return linksText(ids, data?.results ?? []);
}

function DeleteWindow({ window }: { window: ChangeWindow }) {
  return (
    <DeleteEntry
      what={`window ${window.name}`}
      effect="A link to which no window applies has no restriction."
      remove={useDeleteWindow(window.id)}
    />
  );
}

function DeleteFreeze({ freeze }: { freeze: ChangeFreeze }) {
  return (
    <DeleteEntry
      what={`freeze ${freeze.name}`}
      effect="Planned operations may start again, if a change window is open."
      remove={useDeleteFreeze(freeze.id)}
    />
  );
}

const WINDOWS: Column<ChangeWindow>[] = [
  nameColumn("Name", (one) => one.name),
  column("Open", (one) => weeklyText(one) ?? <Span from={one.opens_at} until={one.closes_at} />),
  column("Links", (one) => <LinkNames ids={one.links} />),
  column("Reason", (one) => one.reason),
  column("Action", (one) => <DeleteWindow window={one} />),
];

const FREEZES: Column<ChangeFreeze>[] = [
  nameColumn("Name", (one) => one.name),
  column("Frozen", (one) => <Span from={one.begins_at} until={one.ends_at} />),
  column("Links", (one) => <LinkNames ids={one.links} />),
  column("Reason", (one) => one.reason),
  column("Action", (one) => <DeleteFreeze freeze={one} />),
];

function Entries({ calendar }: { calendar: ChangeCalendar }) {
  const refusal = useRefusal("configure");
  return (
    <>
      <Panel title="Freezes" aside="no planned operation starts">
        <DataTable
          caption="Freezes"
          columns={FREEZES}
          rows={calendar.freezes}
          rowKey={(one) => one.id}
          empty="No freezes."
        />
        <div className="row end">
          <ChangeDialog label="Add freeze" title="Add a freeze" disabledReason={refusal}>
            {(close) => <FreezeForm close={close} />}
          </ChangeDialog>
        </div>
      </Panel>
      <Panel title="Change windows" aside="planned operations may start">
        <DataTable
          caption="Change windows"
          columns={WINDOWS}
          rows={calendar.windows}
          rowKey={(one) => one.id}
          empty="No change windows: planned operations may start at any time."
        />
        <div className="row end">
          <ChangeDialog label="Add window" title="Add a weekly window" disabledReason={refusal}>
            {(close) => <WindowForm close={close} />}
          </ChangeDialog>
        </div>
      </Panel>
    </>
  );
}

/** When planned operations may start. A failover or a relocate is never blocked. */
export function ChangeCalendarPage() {
  const query = useQuery(changeCalendarQuery());
  return (
    <SettingsLayout title="Change calendar">
      {() => (
        <>
          <p className="dim">
            Planned operations start inside a change window and outside of a freeze. A failover, a
            relocate and what restores protection are never blocked.
          </p>
          <QueryBoundary<ChangeCalendar> query={query} label="the change calendar">
            {(calendar) => <Entries calendar={calendar} />}
          </QueryBoundary>
        </>
      )}
    </SettingsLayout>
  );
}
