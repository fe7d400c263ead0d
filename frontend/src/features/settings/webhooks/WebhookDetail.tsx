import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Delivery, Hook, Page } from "@/api/types";
import { AppLink, useGoTo } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { WebhookForm } from "./WebhookForm";
import { deliveryStatus } from "./webhook-text";

function Call({ delivery }: { delivery: Delivery }) {
  const status = deliveryStatus(delivery);
  return (
    <tr>
      <td>
        <Timestamp at={delivery.created_at} />
      </td>
      <td>
        {delivery.phase}{" "}
        {delivery.phase === "test" ? "" : operationLabel(delivery.kind).toLowerCase()}{" "}
        {delivery.run_id && <AppLink to={`/runs/${delivery.run_id}`}>run</AppLink>}
      </td>
      <td>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
      </td>
      <td>
        {status.line}
        {delivery.answer && <div className="dim mono">{delivery.answer}</div>}
      </td>
    </tr>
  );
}

function Calls({ hook }: { hook: Hook }) {
  const query = useQuery(queries.deliveries(hook.id));
  return (
    <QueryBoundary<Page<Delivery>> query={query} label="its calls">
      {(page) =>
        page.results.length === 0 ? (
          <p className="dim">It has not been called yet.</p>
        ) : (
          <div className="scroll">
            <table className="grid">
              <thead>
                <tr>
                  <th>At</th>
                  <th>For</th>
                  <th>Taken?</th>
                  <th>Answer</th>
                </tr>
              </thead>
              <tbody>
                {page.results.map((delivery) => (
                  <Call key={delivery.id} delivery={delivery} />
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </QueryBoundary>
  );
}

/** Removing asks once more, in the same place. */
function Remove({ hook }: { hook: Hook }) {
  const [asked, setAsked] = useState(false);
  const client = useQueryClient();
  const go = useGoTo();
  const remove = useMutation({
    mutationFn: () => commands.deleteHook(hook.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["hooks", hook.link_id] });
      go(`/links/${hook.link_id}/settings`);
    },
  });
  if (!asked)
    return (
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        Remove {hook.name}…
      </Button>
    );
  return (
    <span className="row">
      {remove.isError && <ProblemAlert error={remove.error} action="Removing" />}
      <Button color="red.8" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
        Remove {hook.name} and its calls
      </Button>
      <Button variant="default" size="xs" onClick={() => setAsked(false)}>
        Keep it
      </Button>
    </span>
  );
}

/** One webhook: its calls, and, for who may change it, its settings. */
export function WebhookDetail({ hook }: { hook: Hook }) {
  const may = useCan("configure");
  const go = useGoTo();
  return (
    <>
      <Panel
        title={`Calls of ${hook.name}`}
        aside={<AppLink to={`/links/${hook.link_id}/settings`}>close</AppLink>}
      >
        <Calls hook={hook} />
      </Panel>
      {may && (
        <Panel title={`Change ${hook.name}`} aside={<Remove hook={hook} />}>
          <WebhookForm
            key={hook.id}
            linkId={hook.link_id}
            hook={hook}
            onDone={() => go(`/links/${hook.link_id}/settings`)}
          />
        </Panel>
      )}
    </>
  );
}
