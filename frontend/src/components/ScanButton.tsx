import { Button } from "@mantine/core";
import type { useScanOrphans } from "@/api/resources/orphans";
import type { Orphans } from "@/api/types";
import { useCan } from "./use-session";

/** Scans for orphaned transactions. It is the primary button until a first scan was made. */
export function ScanButton({
  orphans,
  scan,
}: {
  orphans: Orphans;
  scan: ReturnType<typeof useScanOrphans>;
}) {
  const mayScan = useCan("lookup");
  if (!mayScan || orphans.state === "not_needed") return null;
  return (
    <Button
      variant={orphans.scanned_at ? "default" : "filled"}
      loading={scan.isPending}
      onClick={() => scan.mutate()}
    >
      {orphans.scanned_at ? "Scan again" : "Scan for orphaned transactions"}
    </Button>
  );
}
