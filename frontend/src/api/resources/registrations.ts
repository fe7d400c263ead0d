import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { queryKeys, REGISTRATION_KEYS } from "../query-keys";
import { reading, send } from "../send";
import type {
  EnterAccountsRequest,
  Registration,
  RegistrationSide,
  UpdateRegistrationRequest,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const registrationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.registrations,
    queryFn: reading("/api/v1/registrations", {}),
  });

const onRegistration = (registration_id: string) => ({ path: { registration_id } });

export const registrationQuery = (registration_id: string) =>
  queryOptions({
    queryKey: queryKeys.registration(registration_id),
    queryFn: reading("/api/v1/registrations/{registration_id}", {
      ...onRegistration(registration_id),
    }),
    // Only steps of this page change it.
    refetchOnWindowFocus: false,
  });

export const useStartRegistration = () =>
  useApiMutation(
    () => send("POST", "/api/v1/registrations", { body: {} }),
    [queryKeys.registrations],
  );

export const useDeleteRegistration = () =>
  useApiMutation(
    (registration_id: string) =>
      send("DELETE", "/api/v1/registrations/{registration_id}", {
        ...onRegistration(registration_id),
      }),
    [queryKeys.registrations],
  );

/** One step, after those that were begun before: its answer is the whole registration, and is shown at once. */
function useStep<In>(registration_id: string, call: (input: In) => Promise<Registration>) {
  const cache = useQueryClient();
  const step = async (input: In) => {
    const answer = await call(input);
    cache.setQueryData(queryKeys.registration(registration_id), answer);
    return answer;
  };
  return useApiMutation(step, [], `registration ${registration_id}`);
}

export const useUpdateRegistration = (registration_id: string) =>
  useStep(registration_id, (body: UpdateRegistrationRequest) =>
    send("PATCH", "/api/v1/registrations/{registration_id}", {
      ...onRegistration(registration_id),
      body,
    }),
  );

/** The password of the administrator is sent with this call, and kept nowhere. */
export const useDiscover = (registration_id: string) =>
  useStep(registration_id, (body: { side: RegistrationSide; password: string }) =>
    send("POST", "/api/v1/registrations/{registration_id}/discover", {
      ...onRegistration(registration_id),
      body,
    }),
  );

export const useCreateAccounts = (registration_id: string) =>
  useStep(registration_id, (body: { side: RegistrationSide; password: string; digest: string }) =>
    send("POST", "/api/v1/registrations/{registration_id}/accounts", {
      ...onRegistration(registration_id),
      body,
    }),
  );

export const useEnterAccounts = (registration_id: string) =>
  useStep(registration_id, (body: EnterAccountsRequest) =>
    send("PUT", "/api/v1/registrations/{registration_id}/accounts", {
      ...onRegistration(registration_id),
      body,
    }),
  );

export const useCheckSide = (registration_id: string) =>
  useStep(registration_id, (side: RegistrationSide) =>
    send("POST", "/api/v1/registrations/{registration_id}/check", {
      ...onRegistration(registration_id),
      body: { side },
    }),
  );

export function useRegister(registration_id: string) {
  return useApiMutation(
    (accept_open: boolean) =>
      send("POST", "/api/v1/registrations/{registration_id}/register", {
        ...onRegistration(registration_id),
        body: { accept_open },
      }),
    [queryKeys.registrations, ...REGISTRATION_KEYS],
  );
}
