import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCreateProbeToken } from "@/api/resources/network";
import type { LinkDetail, NetworkScript, ProbeToken } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { CommandBlock } from "@/ui/CommandBlock";
import { Panel } from "@/ui/Panel";
import { downloadCommand, runCommand, serveCommand } from "./commands";
import css from "./Network.module.css";
import { endsOf, optionsOf } from "./nodes";

const DEFAULT_PORT = 4599;

interface ProbeProps {
  link: LinkDetail;
  script: NetworkScript;
}

interface CommandsProps extends ProbeProps {
  token: ProbeToken;
  port: number;
  console: string;
}

function Commands({ link, script, token, port, console }: CommandsProps) {
  const { near, far } = endsOf(link);
  const all = [...near, ...far];
  const nameOf = (id: string) => all.find((node) => node.id === id)?.name ?? id;
  const host = all.find((node) => node.id === token.to_node)?.host ?? "";
  const measured = { console, linkId: link.id, script, token, host, port };
  return (
    <ol className={`stack ${css.steps}`}>
      <li>
        On both hosts, download the script:
        <CommandBlock text={downloadCommand(measured)} label="download command" />
      </li>
      <li>
        On {nameOf(token.to_node)}, wait for the other host:
        <CommandBlock text={serveCommand(measured)} label="command of the serving host" />
      </li>
      <li>
        On {nameOf(token.from_node)}, measure and send the result:
        <CommandBlock text={runCommand(measured)} label="command of the measuring host" />
      </li>
    </ol>
  );
}

function ProbeForm({ link, script }: ProbeProps) {
  const { near, far } = endsOf(link);
  const [from, setFrom] = useState(near[0]?.id ?? "");
  const [to, setTo] = useState(far[0]?.id ?? "");
  const [port, setPort] = useState<number | string>(DEFAULT_PORT);
  const [console, setConsole] = useState(window.location.origin);
  const create = useCreateProbeToken(link.id);
  const token = create.data;
  const isShown = token?.from_node === from && token.to_node === to;
  return (
    <div className="stack">
      <div className="row top">
        <NativeSelect
          label="From"
          data={optionsOf(near)}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <NativeSelect
          label="To"
          data={optionsOf(far)}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <NumberInput
          label="TCP port"
          description="Open in the firewall, and free"
          inputWrapperOrder={["label", "input", "description"]}
          min={1}
          max={65_535}
          allowDecimal={false}
          value={port}
          onChange={setPort}
        />
        <TextInput
          label="Address of the console"
          description="As both hosts reach it"
          inputWrapperOrder={["label", "input", "description"]}
          value={console}
          onChange={(event) => setConsole(event.currentTarget.value)}
        />
      </div>
      <div>
        <Button
          loading={create.isPending}
          onClick={() => create.mutate({ from_node: from, to_node: to })}
        >
          Create token and commands
        </Button>
      </div>
      {create.isError && <ProblemAlert error={create.error} action="create the token" />}
      {token && isShown && (
        <>
          <p className="dim">
            The token is shown only here. It lets one result in, until{" "}
            <Timestamp at={token.expires_at} />. A host that cannot reach the console runs the last
            command without <code>--console</code>; paste what it prints below.
          </p>
          <Commands
            link={link}
            script={script}
            token={token}
            console={console.trim().replace(/\/+$/, "") || window.location.origin}
            port={typeof port === "number" ? port : DEFAULT_PORT}
          />
        </>
      )}
    </div>
  );
}

/** How to run the script between a host of each site. */
export function ProbePanel(props: ProbeProps) {
  return (
    <Panel title="Measure with the probe">
      <div className="stack">
        <p className="dim">
          A script of one file, for Python 3.6 or later, measures between a host of each site as
          replication uses the network: requests and responses of the sizes of real write-sets,
          throughput each way, path MTU, loss and clocks. It takes about 20 seconds and moves up to
          1 GiB. It listens on one address, answers only the holder of the token, and ends.
        </p>
        <ProbeForm {...props} />
      </div>
    </Panel>
  );
}
