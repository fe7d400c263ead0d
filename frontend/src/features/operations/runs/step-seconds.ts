import type { RunStep } from "@/api/types";

/** How long a step took; null for a step that has not ended. */
export const stepSeconds = ({ started_at, ended_at }: RunStep): number | null =>
  started_at && ended_at ? (Date.parse(ended_at) - Date.parse(started_at)) / 1000 : null;
