import { NativeSelect, Textarea } from "@mantine/core";
import type { LinkDetail } from "@/api/types";
import { Panel } from "@/ui/Panel";

export interface Backup {
  position: string;
  donor: string;
}

interface BackupPanelProps {
  link: LinkDetail;
  backup: Backup;
  onChange: (backup: Backup) => void;
}

/** The backup a side was rebuilt from: its position, and the node it was taken on. */
export function BackupPanel({ link, backup, onChange }: BackupPanelProps) {
  const nodes = link.clusters.active.nodes.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Panel
      title="Backup"
      aside="Leave empty until a backup exists; the checks then show the steps."
    >
      <div className="stack">
        <NativeSelect
          label="Backup node"
          description="The backup was taken on this node. The node becomes the source of the channel."
          value={backup.donor}
          onChange={(event) => onChange({ ...backup, donor: event.currentTarget.value })}
          data={[{ value: "", label: "any eligible node" }, ...nodes]}
        />
        <Textarea
          label="Backup position"
          description="The content of mariadb_backup_binlog_info or xtrabackup_binlog_info (FILE OFFSET), of …_galera_info (UUID:SEQNO), or of both"
          autosize
          minRows={1}
          maxRows={3}
          value={backup.position}
          onChange={(event) => onChange({ ...backup, position: event.currentTarget.value })}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </Panel>
  );
}
