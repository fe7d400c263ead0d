import type { Link } from "@/api/types";
import { DataAge } from "@/components/DataAge";
import { useDataAge } from "@/components/use-data-age";

/** The age of a link's data, counting up. */
export function CurrentDataAge({ link, readAt }: { link: Link; readAt: number }) {
  return <DataAge ageS={useDataAge(link.age_s, readAt)} />;
}
