import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";

/** The fixed roles and what each permission allows. */
export const rolesQuery = () =>
  queryOptions({
    queryKey: queryKeys.roles,
    queryFn: ({ signal }) => send("GET", "/api/v1/roles", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
