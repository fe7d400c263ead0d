import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import { useScanOrphans } from "@/api/resources/orphans";
import type { LinkDetail, Orphans } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ScanButton } from "@/components/ScanButton";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";

const TONE: Record<Orphans["state"], Tone> = {
  not_needed: "neutral",
  none: "ok",
  found: "warn",
  unknown: "unknown",
};

/** What a scan found is the server's sentence; without one, what the state means. */
function textsOf({ state, detail, cluster }: Orphans): { title: string; description?: string } {
  switch (state) {
    case "found":
    case "none":
      return { title: detail };
    case "not_needed":
      return { title: "No cluster is invalidated, so no scan is needed." };
    case "unknown":
      return {
        title: `Orphaned transactions on ${cluster?.name ?? "the lost side"}: unknown.`,
        description: detail,
      };
  }
}

function ExportButton(props: { link: LinkDetail; format: "jsonl" | "sql"; label: string }) {
  const { link, format, label } = props;
  return (
    <Button
      variant="default"
      component="a"
      href={apiPath(`/links/${link.id}/orphans/export`, { format })}
      download={`orphans-${link.name}.${format}`}
    >
      {label}
    </Button>
  );
}

/** The result of the last scan, with its export and a new scan. */
export function OrphanSummary({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const scan = useScanOrphans(link.id);
  return (
    <>
      <Callout
        tone={TONE[orphans.state]}
        {...textsOf(orphans)}
        actions={
          <>
            {orphans.state === "found" && (
              <>
                <ExportButton link={link} format="jsonl" label="Export as JSON lines" />
                <ExportButton link={link} format="sql" label="Export as SQL" />
              </>
            )}
            {link.retired_at === null && <ScanButton orphans={orphans} scan={scan} />}
          </>
        }
      />
      {scan.isError && <ProblemAlert error={scan.error} action="scan for orphaned transactions" />}
    </>
  );
}
