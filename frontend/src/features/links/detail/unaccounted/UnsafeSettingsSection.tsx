import { useQuery } from "@tanstack/react-query";
import { unaccountedQuery, useSettleSettings } from "@/api/resources/unaccounted";
import type { LinkDetail, UnsafeSetting } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { showSuccess } from "@/components/toast";
import { UNSAFE_SECTION } from "@/domain/unaccounted";
import { pluralize } from "@/lib/format/number";
import { type Column, column, nameColumn } from "@/ui/DataTable";
import { ReasonForm } from "./ReasonForm";
import { SettlePanel } from "./SettlePanel";

const TITLE = "Why rows may differ";

const settingOf = ({ variable, value }: UnsafeSetting) => `${variable}=${value}`;
const keyOf = ({ node_id, variable }: UnsafeSetting) => `${node_id} ${variable}`;

const COLUMNS: readonly Column<UnsafeSetting>[] = [
  nameColumn("Node", ({ node }) => node),
  column("Cause", (row) => <code>{settingOf(row)}</code>),
  column("Seen from", ({ since }) => <Timestamp at={since} />),
  column("Until", ({ until }) => (until === null ? "still there" : <Timestamp at={until} />)),
];

interface SettleProps {
  link: LinkDetail;
  chosen: readonly UnsafeSetting[];
  close: () => void;
}

function SettleSettingsForm({ link, chosen, close }: SettleProps) {
  const settle = useSettleSettings(link.id);
  const count = pluralize(chosen.length, "cause");
  const send = async (reason: string) => {
    const settings = chosen.map(({ node_id, variable }) => ({ node_id, variable }));
    await settle.mutateAsync({ settings, reason });
    showSuccess(`${count} settled.`);
    close();
  };
  return (
    <ReasonForm
      what="the causes"
      count={count}
      disabledReason={chosen.length === 0 ? "None of the selected causes is listed now." : null}
      send={send}
    >
      <p className="dim">
        Settle a cause once the tables were compared and hold the same rows, or nothing was written
        meanwhile. No server is changed. A switchover is refused until all are settled.
      </p>
      <ul>
        {chosen.map((row) => (
          <li key={keyOf(row)}>
            {row.node}: <code>{settingOf(row)}</code>
          </li>
        ))}
      </ul>
    </ReasonForm>
  );
}

/** Settings, columns and rows of a node by which rows may differ; nothing while there are none. */
export function UnsafeSettingsSection({ link }: { link: LinkDetail }) {
  const rows = useQuery(unaccountedQuery(link.id)).data?.unsafe_settings ?? [];
  if (rows.length === 0) return null;
  return (
    <SettlePanel
      id={UNSAFE_SECTION}
      title={TITLE}
      count={pluralize(rows.length, "cause")}
      columns={COLUMNS}
      rows={rows}
      rowKey={keyOf}
      choiceOf={(row) => (row.until === null ? null : keyOf(row))}
      nameOf={(row) => `${settingOf(row)} of ${row.node}`}
      noun="causes"
      form={(chosen, close) => (
        <SettleSettingsForm
          link={link}
          chosen={rows.filter((row) => chosen.has(keyOf(row)))}
          close={close}
        />
      )}
    />
  );
}
