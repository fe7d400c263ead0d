import { useScanOrphans } from "@/api/resources/orphans";

/** Scans a link for orphaned transactions; the pages that show them are read again. */
export const useScan = useScanOrphans;
