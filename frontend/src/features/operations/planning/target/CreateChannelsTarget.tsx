import { NativeSelect, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import type { PlanOptions } from "@/api/types";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import { type Backup, BackupPanel } from "./BackupPanel";
import { PlanRequestPanel } from "./PlanRequestPanel";
import css from "./TargetPage.module.css";
import type { TargetProps } from "./types";

type StandbyData = NonNullable<PlanOptions["standby_data"]>;
type ChannelTls = NonNullable<PlanOptions["channel_tls"]>;

const TITLE = "Data of the standby side";

const TLS_CHOICES = [
  { value: "", label: "as the console connects itself" },
  { value: "off", label: "without TLS" },
  { value: "on", label: "TLS, certificate not verified" },
  { value: "verify", label: "TLS, certificate verified" },
];

const dataTexts = (active: string, standby: string) => [
  {
    value: "equal" as const,
    title: `${standby} holds the same data as ${active}`,
    line: "Or both are still empty. Writes are refused on both sides while every table is compared; the channels begin where the logs end. Up to 10 GiB.",
  },
  {
    value: "copy" as const,
    title: `${standby} is, or becomes, a copy of ${active}`,
    line: `You copy ${active} onto ${standby} with mariadb-backup; the checks show the commands. ${active} stays writable. The forward channel begins at the backup position, which the rows prove.`,
  },
];

function DataChoice(props: {
  active: string;
  standby: string;
  chosen: StandbyData;
  onChoose: (data: StandbyData) => void;
}) {
  const name = useId();
  return (
    <Panel title={TITLE}>
      <div className={css.choices} role="radiogroup" aria-label={TITLE}>
        {dataTexts(props.active, props.standby).map(({ value, title, line }) => (
          <label key={value} className={css.choice}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={props.chosen === value}
              onChange={() => props.onChoose(value)}
              aria-label={title}
            />
            <span>
              <span className={css.name}>{title}</span>
              <span className={css.line}>
                <br />
                {line}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Panel>
  );
}

const NO_FILES = { channel_ca: "", channel_cert: "", channel_key: "" };
type Files = typeof NO_FILES;

const FILE_FIELDS: [keyof Files, label: string, description: string][] = [
  [
    "channel_ca",
    "Authority's certificate",
    "File on the replica nodes of both sides, for example /etc/mysql/ca.pem",
  ],
  [
    "channel_cert",
    "Client certificate",
    "File there, for a replication account with REQUIRE X509. Empty: none is shown.",
  ],
  ["channel_key", "Its private key", "File there, readable for the server alone"],
];

/** The files that a channel with this TLS can use. */
const usedFiles = (tls: ChannelTls | "") =>
  FILE_FIELDS.filter(([name]) => tls === "verify" || (tls === "on" && name !== "channel_ca"));

function TlsPanel(props: {
  tls: ChannelTls | "";
  files: Files;
  onTls: (tls: ChannelTls | "") => void;
  onFiles: (files: Files) => void;
}) {
  return (
    <Panel title="TLS of the channels">
      <div className="stack">
        <NativeSelect
          label="TLS"
          description="Between the two sites. Without it, rows and the replication password cross the network readable."
          value={props.tls}
          onChange={(event) => props.onTls(event.currentTarget.value as ChannelTls | "")}
          data={TLS_CHOICES}
        />
        {usedFiles(props.tls).map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={props.files[name]}
            onChange={(event) =>
              props.onFiles({ ...props.files, [name]: event.currentTarget.value })
            }
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      </div>
    </Panel>
  );
}

/** The files that were typed. */
function filesOf(tls: ChannelTls | "", files: Files): Partial<Files> {
  const chosen: Partial<Files> = {};
  for (const [name] of usedFiles(tls)) {
    const file = files[name].trim();
    if (file) chosen[name] = file;
  }
  return chosen;
}

function optionsOf(data: StandbyData, backup: Backup, tls: ChannelTls | "", files: Files) {
  const position = backup.position.trim();
  const isCopy = data === "copy";
  return {
    standby_data: data,
    ...(isCopy && position ? { backup_position: position } : {}),
    ...(isCopy && backup.donor ? { source_node: backup.donor } : {}),
    ...(tls ? { channel_tls: tls } : {}),
    ...filesOf(tls, files),
  };
}

/** Why no plan can be requested with these files; null where one can. */
function fileFault(tls: ChannelTls | "", files: Files): string | null {
  if (tls === "verify" && !files.channel_ca.trim()) {
    return "Enter the file of the authority's certificate.";
  }
  const isHalf = Boolean(files.channel_cert.trim()) !== Boolean(files.channel_key.trim());
  return usedFiles(tls).length > 0 && isHalf
    ? "Enter the files of both the client certificate and its key."
    : null;
}

/** What a link that does not replicate yet begins with. */
export function CreateChannelsTarget({ link, stale }: TargetProps) {
  const [data, setData] = useState<StandbyData>("equal");
  const [backup, setBackup] = useState<Backup>({ position: "", donor: "" });
  const [tls, setTls] = useState<ChannelTls | "">("");
  const [files, setFiles] = useState<Files>(NO_FILES);
  const participants = currentParticipants("create_channels", link);
  return (
    <div className="with-aside">
      <div className="stack">
        <DataChoice
          active={link.active_cluster.name}
          standby={link.standby_cluster.name}
          chosen={data}
          onChoose={setData}
        />
        {data === "copy" && <BackupPanel link={link} backup={backup} onChange={setBackup} />}
        <TlsPanel tls={tls} files={files} onTls={setTls} onFiles={setFiles} />
      </div>
      <PlanRequestPanel
        link={link}
        kind="create_channels"
        options={optionsOf(data, backup, tls, files)}
        stale={stale}
        disabledReason={fileFault(tls, files)}
        submitLabel={OPERATIONS.create_channels.check(participants)}
      />
    </div>
  );
}
