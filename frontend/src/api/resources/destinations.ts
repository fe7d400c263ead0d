import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
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
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/destinations", { signal })),
    refetchInterval: SLOW_MS,
  });

export const destinationDeliveriesQuery = (destination_id: string): PagedQuery<Delivery> => ({
  queryKey: queryKeys.deliveries(destination_id),
  read: (cursor, signal) =>
    unwrap(
      client.GET("/api/v1/destinations/{destination_id}/deliveries", {
        params: { path: { destination_id }, query: { limit: 20, cursor } },
        signal: withTimeout(signal),
      }),
    ),
  refetchInterval: SLOW_MS,
});

export const useCreateDestination = () =>
  useApiMutation(
    (body: CreateDestinationRequest) => unwrap(client.POST("/api/v1/destinations", { body })),
    [queryKeys.destinations],
  );

const onDestination = (destination: Destination) => ({
  params: { path: { destination_id: destination.id } },
});
const touchedBy = (destination: Destination) => [
  queryKeys.destinations,
  queryKeys.deliveries(destination.id),
];

export const useUpdateDestination = (destination: Destination) =>
  useApiMutation(
    (body: UpdateDestinationRequest) =>
      unwrap(
        client.PATCH("/api/v1/destinations/{destination_id}", {
          ...onDestination(destination),
          body,
        }),
      ),
    touchedBy(destination),
  );

export const useDeleteDestination = (destination: Destination) =>
  useApiMutation(
    () =>
      unwrap(client.DELETE("/api/v1/destinations/{destination_id}", onDestination(destination))),
    [queryKeys.destinations],
  );

export const useTestDestination = (destination: Destination) =>
  useApiMutation(
    () =>
      unwrap(client.POST("/api/v1/destinations/{destination_id}/test", onDestination(destination))),
    touchedBy(destination),
  );
