import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type {
  CreateDestinationRequest,
  Delivery,
  Destination,
  UpdateDestinationRequest,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const destinationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.destinations,
    queryFn: ({ signal }) => send("GET", "/api/v1/destinations", { signal }),
    refetchInterval: SLOW_MS,
  });

export const destinationDeliveriesQuery = (destination_id: string): PagedQuery<Delivery> => ({
  queryKey: queryKeys.deliveries(destination_id),
  read: (cursor, signal) =>
    send("GET", "/api/v1/destinations/{destination_id}/deliveries", {
      path: { destination_id },
      query: { limit: 20, cursor },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS,
});

export const useCreateDestination = () =>
  useApiMutation(
    (body: CreateDestinationRequest) => send("POST", "/api/v1/destinations", { body }),
    [queryKeys.destinations],
  );

const onDestination = (destination: Destination) => ({ path: { destination_id: destination.id } });
const touchedBy = (destination: Destination) => [
  queryKeys.destinations,
  queryKeys.deliveries(destination.id),
];

export const useUpdateDestination = (destination: Destination) =>
  useApiMutation(
    (body: UpdateDestinationRequest) =>
      send("PATCH", "/api/v1/destinations/{destination_id}", {
        ...onDestination(destination),
        body,
      }),
    touchedBy(destination),
  );

export const useDeleteDestination = (destination: Destination) =>
  useApiMutation(
    () => send("DELETE", "/api/v1/destinations/{destination_id}", onDestination(destination)),
    [queryKeys.destinations],
  );

export const useTestDestination = (destination: Destination) =>
  useApiMutation(
    () => send("POST", "/api/v1/destinations/{destination_id}/test", onDestination(destination)),
    touchedBy(destination),
  );
