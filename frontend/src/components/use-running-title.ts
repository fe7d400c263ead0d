import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";

/** "▶ " + what is going on, for the tab's title; empty when nothing runs. */
export function useRunningTitlePrefix(): string {
  const { data } = useQuery({
    ...linksQuery(),
    select: (page) => page.results.filter((link) => link.active_run).map((link) => link.name),
  });
  if (!data || data.length === 0) return "";
  return `▶ ${data.join(", ")} running · `;
}
