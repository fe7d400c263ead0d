import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ButtonLink } from "./ButtonLink";

interface DisabledReasonButtonProps extends ButtonProps {
  /** Why the button is disabled; null when it is not. */
  disabledReason: string | null;
  children: ReactNode;
  onClick?: () => void;
  /** The page it leads to, where it is a link. */
  link?: Pick<LinkProps, "to" | "params" | "search" | "hash">;
  type?: "button" | "submit";
}

/** A button that says why it is disabled: on hover, on focus and to screen readers. */
export function DisabledReasonButton({
  disabledReason,
  children,
  onClick,
  link,
  type = "button",
  ...look
}: DisabledReasonButtonProps) {
  if (disabledReason === null && link)
    return (
      <ButtonLink {...look} {...link}>
        {children}
      </ButtonLink>
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
      {disabledReason !== null && <span className="sr-only"> ({disabledReason})</span>}
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
