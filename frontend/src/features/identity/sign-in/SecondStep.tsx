import { Button } from "@mantine/core";
import { useFinishByCode, useFinishByPasskey } from "@/api/resources/second-factors";
import { FactorForm } from "@/components/second-factor/FactorForm";

interface SecondStepProps {
  ways: string[];
  /** Back to name and password. */
  onBack: () => void;
}

/** Asks for the second factor after the right password. */
export function SecondStep({ ways, onBack }: SecondStepProps) {
  const byCode = useFinishByCode();
  const byPasskey = useFinishByPasskey();
  return (
    <FactorForm
      ways={ways}
      label="Sign in"
      action="sign in"
      onCode={(code) => byCode.mutateAsync(code)}
      onPasskey={() => byPasskey.mutateAsync()}
    >
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
    </FactorForm>
  );
}
