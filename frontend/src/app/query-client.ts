import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

/** A refused request is not repeated; a request without a response is. */
const shouldRetry = (count: number, error: Error) =>
  count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500);

/** The query cache of the console. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, refetchOnWindowFocus: true, staleTime: 500 } },
});
