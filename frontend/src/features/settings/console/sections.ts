import { can, type Permission, type Role } from "@/domain/permissions";

/** The pages of the console's settings, in the order of their tabs. */
const SECTIONS = [
  { to: "/settings/display", label: "Display" },
  { to: "/settings/notifications", label: "Notifications" },
  { to: "/settings/tokens", label: "Tokens" },
  { to: "/settings/sessions", label: "Sessions" },
  { to: "/settings/users", label: "Users", needs: "manage_users" },
  { to: "/settings/roles", label: "Roles" },
  { to: "/settings/webhooks", label: "Webhooks" },
  { to: "/settings/destinations", label: "Destinations" },
  { to: "/settings/change-calendar", label: "Change calendar" },
] as const satisfies { to: string; label: string; needs?: Permission }[];

/** The pages that a user with this role may open. */
export const sectionsFor = (role: Role) =>
  SECTIONS.filter((section) => !("needs" in section) || can(role, section.needs));
