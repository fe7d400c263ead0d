import type { SettingChange } from "@/api/types";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { SqlBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import css from "../Registrations.module.css";

/** A change for several nodes at once where only the node differs. */
interface SharedChange extends SettingChange {
  nodes: string[];
}

function shared(settings: readonly SettingChange[]): SharedChange[] {
  const found = new Map<string, SharedChange>();
  for (const one of settings) {
    const { node, ...rest } = one;
    const key = JSON.stringify(rest);
    const same = found.get(key);
    if (same) same.nodes.push(node);
    else found.set(key, { ...one, nodes: [node] });
  }
  return [...found.values()];
}

function Change({ change }: { change: SharedChange }) {
  const status = statusFor("severity", change.severity);
  const where = change.nodes.join(", ");
  return (
    <li className={css.change}>
      <div className="row">
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
        <span className="strong mono">{change.variable}</span>
        <span className="dim">{where}</span>
      </div>
      <p>
        Now <code>{change.current ?? "unknown"}</code>, needed <code>{change.needed}</code>.{" "}
        {change.why}
      </p>
      {change.statement && (
        <SqlBlock statements={[change.statement]} label={`the statement for ${change.variable}`} />
      )}
      {change.config && (
        <div className={css.config}>
          <span className="dim">In section [mariadb] of the configuration:</span>
          <div className="row">
            <pre className={css.file}>{change.config}</pre>
            <CopyButton
              text={change.config}
              label={`Copy the configuration of ${change.variable}`}
            />
          </div>
        </div>
      )}
      {change.obstacle && (
        <p className="dim">{`${change.statement ? "Not at once" : "Not now"}: ${change.obstacle}`}</p>
      )}
    </li>
  );
}

interface SettingsPanelProps {
  title: string;
  settings: readonly SettingChange[];
  /** What is said where nothing has to change. */
  none: string;
}

/** Each setting that differs from what is needed: value, reason, statement, and what hinders it now. */
export function SettingsPanel({ title, settings, none }: SettingsPanelProps) {
  const changes = shared(settings);
  return (
    <Panel
      title={title}
      aside={
        settings.length > 0 && `${pluralize(changes.length, "setting")}; Hawser sets none of them`
      }
    >
      {changes.length === 0 ? (
        <p className="dim">{none}</p>
      ) : (
        <ul className={css.changes}>
          {changes.map((change) => (
            <Change key={`${change.variable} ${change.nodes.join(" ")}`} change={change} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
