/** Texts of a destination, and the values of its form. */
import type {
  CreateDestinationRequest,
  Destination,
  DestinationService,
  DestinationSettings,
  UpdateDestinationRequest,
} from "@/api/types";

export const SERVICES: readonly { value: DestinationService; label: string }[] = [
  { value: "email", label: "E-mail" },
  { value: "slack", label: "Slack" },
  { value: "teams", label: "Microsoft Teams" },
  { value: "pagerduty", label: "PagerDuty" },
  { value: "opsgenie", label: "Opsgenie" },
];

export const serviceLabel = (service: DestinationService): string =>
  SERVICES.find((one) => one.value === service)?.label ?? service;

/** "node., run. events, severity warning or higher". */
export function destinationTrigger(one: Pick<Destination, "kinds" | "min_severity">): string {
  const which = one.kinds.length === 0 ? "every event" : `${one.kinds.join(", ")}… events`;
  return `${which}, severity ${one.min_severity} or higher`;
}

const FIELDS: Record<DestinationService, readonly (keyof DestinationSettings)[]> = {
  email: ["host", "port", "security", "user", "password", "sender", "recipients"],
  slack: ["url"],
  teams: ["url"],
  pagerduty: ["key", "region"],
  opsgenie: ["key", "region"],
};

/** The whole form: the fields of all services, of which those of the chosen one are sent. */
export interface DestinationValues extends Record<string, unknown> {
  name: string;
  service: DestinationService;
  link_id: string;
  kinds: string[];
  min_severity: Destination["min_severity"];
  enabled: boolean;
  settings: Required<DestinationSettings>;
}

/** The initial values: those of the destination, or defaults for a new one. Secrets are never returned. */
export function destinationDefaults(one: Destination | null): DestinationValues {
  const known = one?.settings;
  return {
    name: one?.name ?? "",
    service: one?.service ?? "email",
    link_id: one?.link_id ?? "",
    kinds: one?.kinds ?? [],
    min_severity: one?.min_severity ?? "warning",
    enabled: one?.enabled ?? true,
    settings: {
      url: "",
      key: "",
      password: "",
      region: known?.region ?? "us",
      host: known?.host ?? "",
      port: known?.port ?? 587,
      security: known?.security ?? "starttls",
      user: known?.user ?? "",
      sender: known?.sender ?? "",
      recipients: known?.recipients ?? [],
    },
  };
}

/**
 * The settings of the service. An empty secret is left out, so that the stored one stays; without a
 * user there is no password.
 */
function settingsOf({ service, settings }: DestinationValues): DestinationSettings {
  const filled = FIELDS[service].filter(
    (name) => !["url", "key", "password"].includes(name) || settings[name] !== "",
  );
  const sent = Object.fromEntries(filled.map((name) => [name, settings[name]]));
  return service === "email" && settings.user === "" ? { ...sent, password: "" } : sent;
}

export function createRequest(values: DestinationValues): CreateDestinationRequest {
  const { link_id, ...rest } = values;
  return { ...rest, link_id: link_id || null, settings: settingsOf(values) };
}

export function updateRequest(values: DestinationValues): UpdateDestinationRequest {
  const { name, kinds, min_severity, enabled } = values;
  return { name, kinds, min_severity, enabled, settings: settingsOf(values) };
}

/** Why the form cannot be sent yet; null when it can. */
export function validateDestination(draft: DestinationValues, existing: boolean): string | null {
  const { service, settings } = draft;
  if (!draft.name.trim()) return "Enter a name.";
  if (service === "email") return validateMail(settings);
  if (existing) return null;
  if (service === "slack" || service === "teams")
    return settings.url ? null : `Enter the URL that ${serviceLabel(service)} shows.`;
  return settings.key ? null : `Enter the key that ${serviceLabel(service)} shows.`;
}

function validateMail(settings: DestinationValues["settings"]): string | null {
  if (!settings.host) return "Enter the mail server.";
  if (!settings.sender) return "Enter the sender.";
  if (settings.recipients.length === 0) return "Enter one recipient or more.";
  if (settings.user && settings.security === "none")
    return "Choose STARTTLS or TLS: a password is not sent in clear text.";
  return null;
}
