import { useRenewCodes } from "@/api/resources/second-factors";
import { ConfirmAction } from "@/components/ConfirmAction";

interface RenewCodesButtonProps {
  left: number;
  onCodes: (codes: string[]) => void;
}

/** How many recovery codes are left, and how to get new ones. */
export function RenewCodesButton({ left, onCodes }: RenewCodesButtonProps) {
  const renew = useRenewCodes();
  return (
    <div className="row">
      <span>Recovery codes left: {left}</span>
      <ConfirmAction
        label="Make new codes"
        title="Make new recovery codes"
        confirmLabel="Make new codes"
        action="make new recovery codes"
        onConfirm={async () => onCodes((await renew.mutateAsync()).recovery_codes)}
      >
        The earlier codes end at once.
      </ConfirmAction>
    </div>
  );
}
