import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "@/api/resources/health";
import { useDataAge } from "@/components/use-data-age";
import { formatAge } from "@/lib/format/time";
import css from "./AppLayout.module.css";

/** The query runs every 15 s; the state is unknown where an answer is older than this. */
const HEALTH_MAX_AGE_S = 20;

/** Whether all components of Hawser are up, else which are down. */
export function ComponentHealth() {
  const { data, isError, dataUpdatedAt } = useQuery(healthQuery());
  const age = useDataAge(0, dataUpdatedAt) ?? 0;
  if (isError) return <small className={css.parts}>Components: unknown</small>;
  if (!data) return <small className={css.parts}>Components: loading</small>;
  if (age > HEALTH_MAX_AGE_S)
    return <small className={css.parts}>Components: unknown, updated {formatAge(age)} ago</small>;
  const down = Object.entries(data.parts).filter(([, part]) => !part.ok);
  if (down.length === 0) return <small className={css.parts}>All components up</small>;
  return (
    <small
      className={css.parts}
      title={down.map(([name, part]) => `${name}: ${part.detail}`).join("\n")}
    >
      <b>Down: {down.map(([name]) => name).join(", ")}</b>
    </small>
  );
}
