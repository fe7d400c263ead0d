import { Button, Modal } from "@mantine/core";
import { prove, proveByPasskey } from "@/api/resources/second-factors";
import { FactorForm } from "./FactorForm";

export interface StepUpDialogProps {
  ways: string[];
  /** Whether the user has proved to be present; false after a cancel. */
  onEnd: (isProven: boolean) => void;
}

/** Asks the user of the session to prove to be present; then the call that waits is sent again. */
export function StepUpDialog({ ways, onEnd }: StepUpDialogProps) {
  const ended = async (proof: Promise<unknown>) => {
    await proof;
    onEnd(true);
  };
  return (
    <Modal opened onClose={() => onEnd(false)} title="Confirm that it is you" centered zIndex={400}>
      <p className="dim">
        You last proved it some time ago. Afterwards your action goes on; what you entered is kept.
      </p>
      <FactorForm
        ways={ways}
        label="Confirm"
        action="confirm that it is you"
        onCode={(code) => ended(prove({ code }))}
        onPasskey={() => ended(proveByPasskey())}
        onPassword={(password) => ended(prove({ password }))}
      >
        <Button variant="default" onClick={() => onEnd(false)}>
          Cancel
        </Button>
      </FactorForm>
    </Modal>
  );
}
