import { Button } from "@mantine/core";
import { useRehearse } from "@/api/resources/rehearsals";
import type { RehearsedKind } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { operationLabel } from "@/domain/operations";

/** Rehearses an operation now; its result is the newest row of the history. */
export function RehearseButton({ linkId, kind }: { linkId: string; kind: RehearsedKind }) {
  const rehearse = useRehearse(linkId);
  const name = operationLabel(kind);
  const onSuccess = () => showSuccess(`${name}: rehearsal finished.`);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={rehearse.isPending}
        onClick={() => rehearse.mutate({ kind }, { onSuccess })}
        aria-label={`Rehearse ${name.toLowerCase()} now`}
      >
        Rehearse now
      </Button>
      {rehearse.isError && (
        <ProblemAlert error={rehearse.error} action={`rehearse the ${name.toLowerCase()}`} />
      )}
    </>
  );
}
