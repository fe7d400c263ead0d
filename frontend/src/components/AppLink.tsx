import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

const Anchor = ({ children, ...props }: AnchorProps) => <a {...props}>{children}</a>;

/** A link within the console, typed by the routes; its data is read as soon as it is pointed at. */
export const AppLink = createLink(Anchor);
