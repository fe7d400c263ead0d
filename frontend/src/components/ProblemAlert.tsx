import { Button } from "@mantine/core";
import { Problem } from "@/api/problem";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { Explanation } from "./Explanation";

function Details({ problem }: { problem: Problem }) {
  return (
    <>
      {problem.detail && <p className="dim">{problem.detail}</p>}
      {problem.errors.length > 0 && (
        <ul>
          {problem.errors.map((error) => (
            <li key={`${error.field}${error.message}`} className="dim">
              {error.field && <code>{error.field}</code>} {error.message}
            </li>
          ))}
        </ul>
      )}
      <Explanation kind="problems" code={problem.code} />
      <p className="faint">
        Code <code>{problem.code}</code>
        {problem.requestId && (
          <>
            {" · request ID "}
            <code>{problem.requestId}</code>
            <CopyButton text={problem.requestId} label="Copy request ID" />
          </>
        )}
      </p>
    </>
  );
}

interface ProblemAlertProps {
  error: unknown;
  /** What could not be done, as an infinitive: "create the plan". */
  action: string;
  retry?: () => void;
}

/** What failed and why, what to do next, and the request ID to find it in the logs. */
export function ProblemAlert({ error, action, retry }: ProblemAlertProps) {
  const problem = error instanceof Problem ? error : null;
  return (
    <Panel tone="bad">
      <div role="alert">
        <p className="strong">
          Could not {action}: {problem ? problem.title : String(error)}
        </p>
        {problem && <Details problem={problem} />}
        {retry && (
          <Button variant="default" size="xs" mt={8} onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </Panel>
  );
}
