import { Callout } from "@/ui/Callout";
import { ButtonLink } from "./ButtonLink";

/** Leads from a form to the guided registration, which finds most of what the form asks for. */
export const GuideCallout = () => (
  <Callout
    tone="info"
    title="The guided registration finds nodes, TLS mode and channels for you."
    description="It starts from one host name of each cluster and an administrator’s account. Or fill in this form yourself."
    actions={<ButtonLink to="/registrations">Use the guide</ButtonLink>}
  />
);
