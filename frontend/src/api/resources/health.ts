import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS, withTimeout } from "../polling";
import { Problem } from "../problem";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { ReadinessReport } from "../types";

/** A component that is down makes /readyz answer 503; the body names it all the same. */
async function readHealth(signal: AbortSignal): Promise<ReadinessReport> {
  try {
    return await send("GET", "/api/v1/readyz", { signal });
  } catch (cause) {
    if (cause instanceof Problem && cause.body.parts)
      return cause.body as unknown as ReadinessReport;
    throw cause;
  }
}

export const healthQuery = () =>
  queryOptions({
    queryKey: queryKeys.health,
    queryFn: ({ signal }) => readHealth(withTimeout(signal)),
    refetchInterval: SLOW_MS,
  });
