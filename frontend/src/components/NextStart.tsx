import { Timestamp } from "./Timestamp";

/** When a schedule begins its work the next time. */
export function NextStart({
  schedule,
}: {
  schedule: { enabled: boolean; next_at: string | null };
}) {
  if (!schedule.enabled) return <>Off</>;
  if (!schedule.next_at) return <>Next: as soon as a worker is free</>;
  return (
    <>
      Next: <Timestamp at={schedule.next_at} />
    </>
  );
}
