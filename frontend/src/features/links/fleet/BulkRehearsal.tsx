import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { rehearseLink } from "@/api/resources/fleet";
import type { LinkRow, RehearsedKind } from "@/api/types";
import { isRehearsed, OPERATION_KINDS, operationLabel } from "@/domain/operations";
import { pluralize } from "@/lib/format/number";
import { BulkResults } from "./BulkResults";
import { useBulkTask } from "./use-bulk-task";

/** Each reads both sides of a link: more at once would slow down the console and its monitor. */
const AT_ONCE = 2;

const REHEARSED = OPERATION_KINDS.filter(isRehearsed);

/** Rehearses one operation on each of the selected links. */
export function BulkRehearsal({ links }: { links: readonly LinkRow[] }) {
  const [kind, setKind] = useState<RehearsedKind>("failover");
  const task = useBulkTask(AT_ONCE);
  const rehearse = async (link: LinkRow) => {
    const { state, sentence } = await rehearseLink(link, kind);
    return state === "passed"
      ? { tone: "ok" as const, word: "passed", sentence: "" }
      : { tone: "bad" as const, word: "failed", sentence };
  };
  return (
    <div className="stack">
      <p className="dim">
        Each link is planned and checked up to the first write. Nothing is changed. {AT_ONCE} links
        are rehearsed at the same time.
      </p>
      <Select
        label="Operation"
        allowDeselect={false}
        disabled={task.isPending}
        data={REHEARSED.map((value) => ({ value, label: operationLabel(value) }))}
        value={kind}
        onChange={(value) => setKind(REHEARSED.find((each) => each === value) ?? kind)}
      />
      <div className="row end">
        <Button loading={task.isPending} onClick={() => void task.start(links, rehearse)}>
          Rehearse {pluralize(links.length, "link")}
        </Button>
      </div>
      <BulkResults task={task} />
    </div>
  );
}
