import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { Go } from "./Go";

interface WhyNotProps extends ButtonProps {
  /** Why the act is not possible now; null when it is. */
  because: string | null;
  children: ReactNode;
  onClick?: () => void;
  /** Where it leads, if it is a way and not an act. */
  to?: string;
  type?: "button" | "submit";
}

/** A button that, when it cannot be pressed, says why: on hover, on focus and to screen readers. */
export function WhyNot({ because, children, onClick, to, type = "button", ...look }: WhyNotProps) {
  if (because === null && to)
    return (
      <Button {...look} component={Go} to={to}>
        {children}
      </Button>
    );
  const button = (
    <Button
      {...look}
      type={type}
      onClick={because === null ? onClick : (event) => event.preventDefault()}
      data-disabled={because !== null || undefined}
      aria-disabled={because !== null || undefined}
    >
      {children}
      {because !== null && <span className="sr-only"> (not now: {because})</span>}
    </Button>
  );
  return because === null ? (
    button
  ) : (
    <Tooltip label={because} withArrow multiline maw={360}>
      {button}
    </Tooltip>
  );
}
