import { useQuery } from "@tanstack/react-query";
import { fleetQuery } from "@/api/resources/fleet";

/** The links with a run in progress, for the tab's title; empty where there is none. */
export function useRunningTitlePrefix(): string {
  const { data } = useQuery({
    ...fleetQuery(),
    select: (page) => page.results.filter((link) => link.active_run).map((link) => link.name),
  });
  if (!data || data.length === 0) return "";
  return `▶ ${data.join(", ")} running · `;
}
