import type { ConfigurationChange } from "@/api/types";
import { statementsOf } from "@/domain/configuration";
import { SqlBlock } from "@/ui/SqlBlock";

const lineOf = ({ node, name, before, after }: ConfigurationChange) =>
  `${node}: ${name} from ${before === null ? "unknown" : before || "(empty)"} to ${after || "(empty)"}`;

/** The statements of changes with their undo, and the changes that only a restart makes. */
export function ConfigurationStatements(props: {
  changes: readonly ConfigurationChange[];
  subject: string;
}) {
  const { changes, subject } = props;
  const statements = statementsOf(changes, "sql");
  const undo = statementsOf(changes, "undo");
  const byRestart = changes.filter(({ sql }) => sql === "");
  return (
    <>
      {statements.length > 0 && (
        <SqlBlock statements={statements} label={`statements: ${subject}`} />
      )}
      {undo.length > 0 && (
        <details>
          <summary>Undo</summary>
          <SqlBlock statements={undo} label={`undo: ${subject}`} />
        </details>
      )}
      {byRestart.length > 0 && (
        <div>
          <p className="dim">In the configuration file, with a restart:</p>
          <ul>
            {byRestart.map((change) => (
              <li key={`${change.node} ${change.name}`} className="mono">
                {lineOf(change)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
