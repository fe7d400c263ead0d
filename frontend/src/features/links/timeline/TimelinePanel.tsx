import { Button, Group } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { timelineQuery } from "@/api/resources/history";
import type { TimelineEntry, TimelineKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { usePagedQuery } from "@/components/use-paged-query";
import { TIMELINE_KINDS, TIMELINE_LABELS } from "@/domain/timeline-kinds";
import { Panel } from "@/ui/Panel";
import { TimelineList } from "./TimelineList";

interface Choice {
  show?: TimelineKind | undefined;
  entry?: string | undefined;
}

function Kinds({ show, onChange }: Choice & { onChange: (show?: TimelineKind) => void }) {
  return (
    <Group gap={6} role="group" aria-label="Kinds of entries" className="no-print">
      {[undefined, ...TIMELINE_KINDS].map((kind) => (
        <Button
          key={kind ?? "all"}
          size="compact-xs"
          variant={show === kind ? "filled" : "default"}
          aria-pressed={show === kind}
          onClick={() => onChange(kind)}
        >
          {kind ? TIMELINE_LABELS[kind] : "All"}
        </Button>
      ))}
    </Group>
  );
}

/** Runs, events, rehearsals and changes of settings of a link as one list, newest first. */
export function TimelinePanel({ linkId }: { linkId: string }) {
  const { minutes, show, entry } = useSearch({ from: "/shell/links/$linkId" });
  const navigate = useNavigate();
  const entries = usePagedQuery(timelineQuery(linkId, show, entry));
  const choose = (choice: Choice) =>
    void navigate({
      to: "/links/$linkId",
      params: { linkId },
      search: { minutes, ...choice },
      replace: true,
      resetScroll: false,
    });
  return (
    <Panel
      title="Time line"
      aside={
        <span className="row">
          <AppLink to="/history" search={{ link: linkId }}>
            history
          </AppLink>
          <AppLink to="/links/$linkId/readiness" params={{ linkId }}>
            readiness report
          </AppLink>
          <AppLink to="/audit" search={{ link: linkId }}>
            audit log
          </AppLink>
        </span>
      }
    >
      <div className="stack">
        <Kinds show={show} onChange={(kind) => choose({ show: kind })} />
        {entry && (
          <p className="dim">
            From one entry on.{" "}
            <AppLink to="/links/$linkId" params={{ linkId }} search={{ minutes, show }}>
              Show the latest
            </AppLink>
          </p>
        )}
        <QueryBoundary<TimelineEntry[]> query={entries} label="the time line">
          {(rows) => (
            <TimelineList linkId={linkId} show={show} entries={rows} more={entries.more} />
          )}
        </QueryBoundary>
      </div>
    </Panel>
  );
}
