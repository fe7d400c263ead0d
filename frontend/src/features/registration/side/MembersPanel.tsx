import { Button, Textarea } from "@mantine/core";
import type { Registration, RegistrationSide, SideDraft } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { formatNodes, parseNodes } from "@/domain/node-lines";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import { useDraftForm } from "../use-draft-form";

type Found = NonNullable<SideDraft["discovered"]>;
type Member = Found["members"][number];

const STATES: Record<Member["state"], { word: string; tone: Tone }> = {
  connected: { word: "connected", tone: "ok" },
  unreached: { word: "not reached", tone: "warn" },
  unknown_address: { word: "address unknown", tone: "warn" },
  other_cluster: { word: "another cluster", tone: "bad" },
  no_cluster: { word: "no member", tone: "bad" },
};

const COLUMNS: readonly Column<Member>[] = [
  nameColumn("Node", (member) => member.name, { nowrap: true }),
  column("Address", ({ host, port }) => (host ? `${host}:${port}` : "unknown"), { mono: true }),
  column("State", ({ state }) => (
    <StatusChip tone={STATES[state].tone}>{STATES[state].word}</StatusChip>
  )),
  column("Found", (member) => member.sentence),
];

interface MembersPanelProps {
  draft: Registration;
  side: RegistrationSide;
  found: Found;
}

/** The members that the cluster names, and the list of nodes that is registered. */
export function MembersPanel({ draft, side, found }: MembersPanelProps) {
  const { form, problem, save, onSubmit, isSaving } = useDraftForm({
    draft,
    prefix: `${side}.`,
    initialValues: { nodes: formatNodes(draft[side].nodes) },
    validate: {
      nodes: (text) => (parseNodes(text) ? null : "Enter one node per line: name host[:port]"),
    },
    toRequest: ({ nodes }) => {
      const parsed = parseNodes(nodes);
      return parsed && { [side]: { nodes: parsed } };
    },
  });
  return (
    <Panel title="Members" aside="all of them are registered, also those without a channel">
      <div className="stack">
        <DataTable
          caption="Members of the cluster"
          columns={COLUMNS}
          rows={found.members}
          rowKey={(member) => `${member.name} ${member.host} ${member.port}`}
          empty="No member answered. Correct the address above."
        />
        <form className="stack" onBlur={save} onSubmit={onSubmit(() => Promise.resolve())}>
          {problem !== null && <ProblemAlert error={problem} action="store the nodes" />}
          <Textarea
            label="Nodes to register, one per line"
            description="name host[:port]. Correct an address here, or add a member, then discover again."
            autosize
            minRows={2}
            classNames={{ input: "mono" }}
            {...form.getInputProps("nodes")}
          />
          <div className="row end">
            <Button type="submit" variant="default" size="xs" loading={isSaving}>
              Save nodes
            </Button>
          </div>
        </form>
      </div>
    </Panel>
  );
}
