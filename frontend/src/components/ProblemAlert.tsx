import { Button } from "@mantine/core";
import { Problem } from "@/api/problem";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";

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
      <p className="faint">
        <code>{problem.code}</code>
        {problem.requestId && (
          <>
            {" · request "}
            <code>{problem.requestId}</code>
            <CopyButton text={problem.requestId} label="Copy request id" />
          </>
        )}
      </p>
    </>
  );
}

/** What went wrong, what to do next, and the id to search the logs by. */
export function ProblemAlert(props: { error: unknown; action: string; retry?: () => void }) {
  const { error, action, retry } = props;
  const problem = error instanceof Problem ? error : null;
  return (
    <Panel tone="bad">
      <div role="alert">
        <p className="strong">
          {action} did not work: {problem ? problem.title : String(error)}
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
