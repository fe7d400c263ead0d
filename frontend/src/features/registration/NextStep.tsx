import { ButtonLink } from "@/components/ButtonLink";
import { STEP_LABELS, type Step } from "./steps";

/** Leads to the next step; any step can be left and opened again. */
export const NextStep = ({ id, step, isReady }: { id: string; step: Step; isReady: boolean }) => (
  <div className="row end">
    <ButtonLink
      to="/registrations/$registrationId"
      params={{ registrationId: id }}
      search={{ step }}
      variant={isReady ? "filled" : "default"}
    >
      {`Next: ${STEP_LABELS[step].toLowerCase()}`}
    </ButtonLink>
  </div>
);
