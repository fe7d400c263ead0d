import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import type { Orphans } from "@/api/types";
import { useMay } from "./session";

/** Looks for orphans now; whoever shows them reads the answer. */
export function useScan(linkId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => commands.scanOrphans(linkId),
    onSettled: () => client.invalidateQueries({ queryKey: ["orphans", linkId] }),
  });
}

/** Scanning is the first thing to do where nobody has scanned yet. */
export function ScanButton({
  orphans,
  scan,
}: {
  orphans: Orphans;
  scan: ReturnType<typeof useScan>;
}) {
  const mayScan = useMay("lookup");
  if (!mayScan || orphans.state === "not_needed") return null;
  return (
    <Button
      variant={orphans.scanned_at ? "default" : "filled"}
      loading={scan.isPending}
      onClick={() => scan.mutate()}
    >
      {orphans.scanned_at ? "Scan again" : "Scan for orphans"}
    </Button>
  );
}
