import type { Link } from "@/api/types";
import { DataAge } from "@/components/DataAge";
import { useDataAge } from "@/components/use-data-age";

/** How old the data of the link is, counted while the page is open. */
export function LinkAge({ link, readAt }: { link: Link; readAt: number }) {
  return <DataAge ageS={useDataAge(link.age_s, readAt)} />;
}
