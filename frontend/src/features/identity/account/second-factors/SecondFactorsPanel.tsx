import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { secondFactorsQuery } from "@/api/resources/second-factors";
import type { SecondFactors } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { AddPasskeyForm } from "./AddPasskeyForm";
import { AppSection } from "./AppSection";
import { PasskeyList } from "./PasskeyList";
import { RecoveryCodes } from "./RecoveryCodes";
import { RenewCodesButton } from "./RenewCodesButton";

interface FactorsProps {
  factors: SecondFactors;
  /** Recovery codes that were just made. */
  onCodes: (codes: string[]) => void;
}

function Factors({ factors, onCodes }: FactorsProps) {
  const hasAny = factors.app !== null || factors.passkeys.length > 0;
  return (
    <>
      <p className="dim">
        {factors.is_required
          ? "Your role needs a second factor. Add a second one as well, in case you lose a device."
          : "With a second factor, your password alone opens nothing. Add two, in case you lose a device."}
      </p>
      <AppSection app={factors.app} onCodes={onCodes} />
      <PasskeyList passkeys={factors.passkeys} />
      <AddPasskeyForm onCodes={onCodes} />
      {hasAny && <RenewCodesButton left={factors.recovery_codes_left} onCodes={onCodes} />}
    </>
  );
}

/** The user's authenticator app, passkeys and recovery codes. */
export function SecondFactorsPanel({ onCodesKept }: { onCodesKept?: () => void }) {
  const query = useQuery(secondFactorsQuery());
  const [codes, setCodes] = useState<string[]>([]);
  const keep = () => {
    setCodes([]);
    onCodesKept?.();
  };
  const show = (made: string[]) => {
    if (made.length > 0) setCodes(made);
    else onCodesKept?.();
  };
  return (
    <Panel title="Second factors">
      <QueryBoundary<SecondFactors> query={query} label="your second factors">
        {(factors) => (
          <div className="stack">
            {codes.length > 0 ? (
              <RecoveryCodes codes={codes} onKept={keep} />
            ) : (
              <Factors factors={factors} onCodes={show} />
            )}
          </div>
        )}
      </QueryBoundary>
    </Panel>
  );
}
