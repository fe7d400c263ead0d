import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Delivery, Hook, Page } from "@/api/types";
import { Moment } from "@/components/clock";
import { Go, useGo } from "@/components/Go";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useMay } from "@/components/session";
import { nounOf } from "@/lib/kinds";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { HookForm } from "./HookForm";
import { callStatus } from "./hookWords";

function Call({ delivery }: { delivery: Delivery }) {
  const status = callStatus(delivery);
  return (
    <tr>
      <td>
        <Moment at={delivery.created_at} />
      </td>
      <td>
        {delivery.phase} {delivery.phase === "test" ? "" : nounOf(delivery.kind).toLowerCase()}{" "}
        {delivery.run_id && <Go to={`/runs/${delivery.run_id}`}>run</Go>}
      </td>
      <td>
        <Chip tone={status.tone}>{status.word}</Chip>
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
    <Loaded<Page<Delivery>> query={query} what="its calls">
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
    </Loaded>
  );
}

/** Removing asks once more, in the same place. */
function Remove({ hook }: { hook: Hook }) {
  const [asked, setAsked] = useState(false);
  const client = useQueryClient();
  const go = useGo();
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
      {remove.isError && <ProblemNotice error={remove.error} doing="Removing" />}
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
export function HookDetail({ hook }: { hook: Hook }) {
  const may = useMay("configure");
  const go = useGo();
  return (
    <>
      <Panel
        title={`Calls of ${hook.name}`}
        aside={<Go to={`/links/${hook.link_id}/settings`}>close</Go>}
      >
        <Calls hook={hook} />
      </Panel>
      {may && (
        <Panel title={`Change ${hook.name}`} aside={<Remove hook={hook} />}>
          <HookForm
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
