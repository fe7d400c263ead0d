import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import type { Hook, LinkDetail } from "@/api/types";
import { Go } from "@/components/Go";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useMay } from "@/components/session";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { HookForm } from "./HookForm";
import css from "./Hooks.module.css";
import { callStatus, whenWords } from "./hookWords";

function Last({ hook }: { hook: Hook }) {
  if (!hook.last_delivery) return <span className="dim">never called</span>;
  const status = callStatus(hook.last_delivery);
  return (
    <>
      <Chip tone={status.tone}>{status.word}</Chip>
      <div className="dim">{status.line}</div>
    </>
  );
}

function Row({ hook, current }: { hook: Hook; current: boolean }) {
  const may = useMay("configure");
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => commands.testHook(hook.id),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["hooks", hook.link_id] });
      void client.invalidateQueries({ queryKey: ["deliveries", hook.id] });
    },
  });
  return (
    <>
      <tr>
        <td>
          <Go
            to={`/links/${hook.link_id}/settings?hook=${hook.id}`}
            className="strong"
            aria-current={current}
          >
            {hook.name}
          </Go>
          <div className={`dim mono ${css.url}`}>{hook.url}</div>
        </td>
        <td>
          {whenWords(hook)}
          <div className="dim">
            {hook.blocking ? "blocking, " : ""}
            {hook.timeout_s} s to answer
          </div>
        </td>
        <td className="nowrap">
          {hook.enabled ? <Chip tone="ok">in use</Chip> : <Chip tone="neutral">not in use</Chip>}
        </td>
        <td>
          <Last hook={hook} />
        </td>
        <td className="num">
          {may && (
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate()}
              aria-label={`Call ${hook.name} once, as a test`}
            >
              Test
            </Button>
          )}
        </td>
      </tr>
      {test.isError && (
        <tr>
          <td colSpan={5}>
            <ProblemNotice error={test.error} doing="Testing" />
          </td>
        </tr>
      )}
    </>
  );
}

/** The webhooks of a link: whom it tells before and after an act, and of events. */
export function HooksPanel(props: {
  link: LinkDetail;
  hooks: readonly Hook[];
  current: string | undefined;
}) {
  const { link, hooks, current } = props;
  const [adding, setAdding] = useState(false);
  const may = useMay("configure");
  return (
    <Panel title="Webhooks" aside="steps of every plan they are called for; each call is signed">
      {hooks.length === 0 ? (
        <p className="dim">None. Proxies, tickets and chat are told of nothing.</p>
      ) : (
        <div className="scroll">
          <table className="grid">
            <thead>
              <tr>
                <th>Webhook</th>
                <th>Called</th>
                <th>State</th>
                <th>Last call</th>
                <th>
                  <span className="sr-only">Test</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {hooks.map((hook) => (
                <Row key={hook.id} hook={hook} current={hook.id === current} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {may && !adding && (
        <Button mt={12} variant="default" onClick={() => setAdding(true)}>
          Add a webhook…
        </Button>
      )}
      {adding && (
        <section aria-label="A new webhook" className="note">
          <HookForm linkId={link.id} hook={null} onDone={() => setAdding(false)} />
        </section>
      )}
    </Panel>
  );
}
