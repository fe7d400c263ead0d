import { useNavigate, useSearch } from "@tanstack/react-router";
import { switchesQuery } from "@/api/resources/history";
import type { HistoryFilter, Switch } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { usePagedQuery } from "@/components/use-paged-query";
import { Panel } from "@/ui/Panel";
import { HistoryExport } from "./HistoryExport";
import { HistoryFilterForm } from "./HistoryFilterForm";
import { SwitchList } from "./SwitchList";

function Switches({ filter }: { filter: HistoryFilter }) {
  const switches = usePagedQuery(switchesQuery(filter));
  return (
    <Panel>
      <QueryBoundary<Switch[]> query={switches} label="the history">
        {(rows) => <SwitchList entries={rows} more={switches.more} />}
      </QueryBoundary>
    </Panel>
  );
}

/** What was switched, in sentences, newest first; the audit log is the raw record. */
export function HistoryPage() {
  const filter = useSearch({ from: "/shell/history" });
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="History" right={<HistoryExport filter={filter} />} />
      <div className="stack">
        <HistoryFilterForm
          filter={filter}
          onChange={(search) => void navigate({ to: "/history", search })}
        />
        <Switches key={JSON.stringify(filter)} filter={filter} />
      </div>
    </>
  );
}
