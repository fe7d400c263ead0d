import { Button } from "@mantine/core";
import { useTestDestination } from "@/api/resources/destinations";
import type { Destination } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";

/** Has a worker send one test; its outcome is listed with the other deliveries. */
export function TestDestinationButton({ destination }: { destination: Destination }) {
  const test = useTestDestination(destination);
  const onSuccess = () => showSuccess(`Test to ${destination.name} queued.`);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess })}
        aria-label={`Test ${destination.name}`}
      >
        Test
      </Button>
      {test.isError && <ProblemAlert error={test.error} action={`test ${destination.name}`} />}
    </>
  );
}
