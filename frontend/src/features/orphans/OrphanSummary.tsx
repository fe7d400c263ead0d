import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import { useScanOrphans } from "@/api/resources/orphans";
import type { LinkDetail, Orphans } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ScanButton } from "@/components/ScanButton";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";

const TONE: Record<Orphans["state"], Tone> = {
  not_needed: "neutral",
  none: "ok",
  found: "warn",
  unknown: "unknown",
};

function sentenceOf(orphans: Orphans, link: LinkDetail): string {
  const name = orphans.cluster?.name ?? "the lost side";
  const survivor = link.active_cluster.name;
  switch (orphans.state) {
    case "not_needed":
      return "No cluster is invalidated, so no scan is needed.";
    case "none":
      return `${name} has no orphaned transactions: ${survivor} received all of its transactions.`;
    case "unknown":
      return `Orphaned transactions on ${name}: unknown.`;
    case "found":
      return `${name} has ${pluralize(orphans.transactions, "transaction")} that ${survivor} never received.`;
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
        title={sentenceOf(orphans, link)}
        description={orphans.detail}
        actions={
          <>
            {orphans.state === "found" && (
              <>
                <ExportButton link={link} format="jsonl" label="Export as JSON lines" />
                <ExportButton link={link} format="sql" label="Export as SQL" />
              </>
            )}
            <ScanButton orphans={orphans} scan={scan} />
          </>
        }
      />
      {scan.isError && <ProblemAlert error={scan.error} action="scan for orphaned transactions" />}
    </>
  );
}
