import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

interface ButtonAnchorProps
  extends ButtonProps,
    Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> {
  ref?: Ref<HTMLAnchorElement>;
}

const ButtonAnchor = (props: ButtonAnchorProps) => <Button component="a" {...props} />;

/** A link that looks like a button: it leads to the page where something can be done. */
export const ButtonLink = createLink(ButtonAnchor);
