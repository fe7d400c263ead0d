import { useScanOrphans } from "@/api/resources/orphans";
import type { LinkDetail, Orphans } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ScanButton } from "@/components/ScanButton";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";

interface OrphanSummary {
  tone: Tone;
  title: string;
  description: string;
}

/** What is known about the orphaned transactions; unknown is not the same as none. */
function summaryOf(orphans: Orphans): OrphanSummary {
  if (orphans.state === "unknown")
    return {
      tone: "unknown",
      title: "Orphaned transactions: unknown.",
      description: orphans.detail,
    };
  if (orphans.state === "found")
    return {
      tone: "warn",
      title: `${orphans.cluster?.name ?? "The lost side"} has ${pluralize(orphans.transactions, "orphaned transaction")}.`,
      description: orphans.detail,
    };
  return { tone: "ok", title: "No orphaned transactions found.", description: orphans.detail };
}

/** What the last scan found, with the button for a new one: the choice below depends on it. */
export function OrphanStatus({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const scan = useScanOrphans(link.id);
  const isNeeded = orphans.state !== "not_needed";
  return (
    <>
      <Callout
        {...summaryOf(orphans)}
        actions={
          isNeeded && (
            <>
              <AppLink to="/links/$linkId/orphans" params={{ linkId: link.id }}>
                View orphaned transactions
              </AppLink>
              <ScanButton orphans={orphans} scan={scan} />
            </>
          )
        }
      />
      {scan.isError && <ProblemAlert error={scan.error} action="scan for orphaned transactions" />}
    </>
  );
}
