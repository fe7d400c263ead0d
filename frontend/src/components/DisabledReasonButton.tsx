import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { AppLink } from "./AppLink";

interface DisabledReasonButtonProps extends ButtonProps {
  /** Why the act is not possible now; null when it is. */
  disabledReason: string | null;
  children: ReactNode;
  onClick?: () => void;
  /** Where it leads, if it is a way and not an act. */
  to?: string;
  type?: "button" | "submit";
}

/** A button that, when it cannot be pressed, says why: on hover, on focus and to screen readers. */
export function DisabledReasonButton({
  disabledReason,
  children,
  onClick,
  to,
  type = "button",
  ...look
}: DisabledReasonButtonProps) {
  if (disabledReason === null && to)
    return (
      <Button {...look} component={AppLink} to={to}>
        {children}
      </Button>
    );
  const button = (
    <Button
      {...look}
      type={type}
      onClick={disabledReason === null ? onClick : (event) => event.preventDefault()}
      data-disabled={disabledReason !== null || undefined}
      aria-disabled={disabledReason !== null || undefined}
    >
      {children}
      {disabledReason !== null && <span className="sr-only"> (not now: {disabledReason})</span>}
    </Button>
  );
  return disabledReason === null ? (
    button
  ) : (
    <Tooltip label={disabledReason} withArrow multiline maw={360}>
      {button}
    </Tooltip>
  );
}
