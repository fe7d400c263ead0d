import type { Bandwidth } from "@/api/types";
import { formatBytes } from "@/lib/format/number";

type Span = Bandwidth["by_count"]["rows"][number]["outbound_one"];

/** The times of which a cluster keeps rates. */
export const WINDOWS: Record<Bandwidth["computed"][number]["window"], string> = {
  minutes: "Last 5 min",
  hour: "Last hour",
  week: "Last week",
  busiest_hour: "Busiest hour of the week",
};

export const rateText = (bytes: number) => `${formatBytes(bytes)}/s`;

/** "22 to 24 kB/s", "up to 24 kB/s" where a relay may carry it, "0" for none. */
export function spanText({ low, high }: Span): string {
  if (high === 0) return "0";
  if (low === 0) return `up to ${rateText(high)}`;
  const [from, to] = [formatBytes(low), formatBytes(high)];
  const unit = to.slice(to.indexOf(" "));
  return from === to ? `${to}/s` : `${from.replace(unit, "")} to ${to}/s`;
}
