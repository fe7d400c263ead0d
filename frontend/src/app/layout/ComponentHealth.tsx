import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "@/api/resources/health";
import { useDataAge } from "@/components/use-data-age";
import { formatAge } from "@/lib/format/time";
import css from "./AppLayout.module.css";

/** The parts are asked for every 15 s; an answer that is late leaves nothing to claim. */
export const HEALTH_MAX_AGE_S = 20;
export function ComponentHealth() {
  const { data, isError, dataUpdatedAt } = useQuery(healthQuery());
  const age = useDataAge(0, dataUpdatedAt) ?? 0;
  if (isError) return <small className={css.parts}>parts: unknown</small>;
  if (!data) return <small className={css.parts}>parts: reading</small>;
  if (age > HEALTH_MAX_AGE_S)
    return <small className={css.parts}>parts: unknown, read {formatAge(age)} ago</small>;
  const down = Object.entries(data.parts).filter(([, part]) => !part.ok);
  if (down.length === 0) return <small className={css.parts}>all parts up</small>;
  return (
    <small
      className={css.parts}
      title={down.map(([name, part]) => `${name}: ${part.detail}`).join("\n")}
    >
      <b>down: {down.map(([name]) => name).join(", ")}</b>
    </small>
  );
}
