import { Button } from "@mantine/core";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";

/** The part of a mutation that the button needs. */
interface Test {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  mutate: (body: undefined, options: { onSuccess: () => void }) => void;
}

interface TestButtonProps {
  name: string;
  test: Test;
  queued: string;
}

/** Sends one test to a webhook or destination; its outcome is listed with the other deliveries. */
export function TestButton({ name, test, queued }: TestButtonProps) {
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess: () => showSuccess(queued) })}
        aria-label={`Test ${name}`}
      >
        Test
      </Button>
      {test.isError && <ProblemAlert error={test.error} action={`test ${name}`} />}
    </>
  );
}
