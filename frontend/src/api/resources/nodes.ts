import { ifMatch, type Versioned } from "../if-match";
import { REGISTRATION_KEYS } from "../query-keys";
import { send } from "../send";
import type { ReasonOnly, UpdateNodeRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The version of a node is its cluster's. */
const onNode = (node_id: string, version: number) => ({
  path: { node_id },
  header: ifMatch(version),
});

/** Its name, and the address at which the same server responds. */
export const useUpdateNode = (node_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<UpdateNodeRequest>) =>
      send("PATCH", "/api/v1/nodes/{node_id}", { ...onNode(node_id, version), body }),
    REGISTRATION_KEYS,
  );

/** Removes a node that left its cluster; nothing is changed on the server. */
export const useRemoveNode = (node_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly & { attest_gone: boolean }>) =>
      send("DELETE", "/api/v1/nodes/{node_id}", { ...onNode(node_id, version), query: body }),
    REGISTRATION_KEYS,
  );

/** Records the server that responds at the node's address now. */
export const useConfirmServer = (node_id: string, server_id: number) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("POST", "/api/v1/nodes/{node_id}/confirm-server", {
        ...onNode(node_id, version),
        body: { ...body, server_id },
      }),
    REGISTRATION_KEYS,
  );
