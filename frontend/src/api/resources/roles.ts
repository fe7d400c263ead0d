import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";

/** The fixed roles and what each permission allows. */
export const rolesQuery = () =>
  queryOptions({
    queryKey: queryKeys.roles,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/roles", { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
