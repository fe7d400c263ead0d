import { useMutation, useQueryClient } from "@tanstack/react-query";
import { commands } from "@/api/commands";

/** Looks for orphans now; whoever shows them reads the answer. */

export function useScan(linkId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => commands.scanOrphans(linkId),
    onSettled: () => client.invalidateQueries({ queryKey: ["orphans", linkId] }),
  });
}
