/** Users of the API from memory, with their sessions and tokens. */
import type { RoleAssignment, Session, Team, Token, User } from "@/api/types";
import { ago } from "./clusters";
import { atProvider } from "./session";

export interface Access {
  users: User[];
  sessions: Record<string, Session[]>;
  tokens: Record<string, Token[]>;
  teams: Team[];
  assignments: RoleAssignment[];
}

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export const user = (username: string, role: User["role"], over: Partial<User> = {}): User => ({
  username,
  role,
  is_active: true,
  created_at: ago(86_400 * 90),
  last_login: ago(7200),
  second_person_from: ago(86_400 * 89),
  os_users: [],
  provider: null,
  password_set_by: "",
  is_service: false,
  owner: null,
  owner_team: null,
  ...over,
});

const session = (id: string, user_agent: string, is_current: boolean): Session => ({
  id,
  source_ip: is_current ? "10.0.4.17" : "2001:db8:85a3::8a2e:370:7334",
  user_agent,
  created_at: ago(is_current ? 3000 : 86_000),
  last_active_at: ago(is_current ? 2 : 1900),
  is_current,
});

export const token = (id: string, label: string, role: Token["role"], days: number): Token => ({
  id,
  label,
  role,
  created_at: ago(86_400),
  expires_at: ago(-86_400 * days),
  last_used_at: null,
  permissions: null,
  links: null,
  environments: null,
  addresses: null,
  rotated_from: null,
});

export const team = (id: string, name: string, members: string[]): Team => ({
  id,
  name,
  members,
  created_at: ago(86_400 * 30),
});

export const assignment = (over: Partial<RoleAssignment>): RoleAssignment => ({
  id: "u_1",
  user: null,
  team: null,
  team_name: null,
  role: "operator",
  scope_kind: "link",
  scope: "l_payments",
  scope_name: "the link payments",
  reason: "",
  granted_by: "second-admin",
  granted_at: ago(86_400 * 20),
  expires_at: null,
  ...over,
});

/** More than one page of the mock. */
const NIGHT_SHIFT = Array.from({ length: 25 }, (_, i) => `member-${i + 1}`);

export const newAccess = (): Access => ({
  teams: [
    team("q_payments", "Payments", ["anna", "olaf"]),
    team("q_night", "Night shift", NIGHT_SHIFT),
  ],
  assignments: [
    assignment({ team: "q_payments", team_name: "Payments" }),
    assignment({
      id: "u_2",
      user: "anna",
      role: "approver",
      scope_kind: "environment",
      scope: "production",
      scope_name: "the environment production",
      reason: "on call in November",
      expires_at: ago(-86_400 * 10),
    }),
  ],
  users: [
    user("lena", "approver", { provider: atProvider("lena", ["dba", "dba-leads"]) }),
    user("anna", "approver", {
      created_at: ago(3000),
      last_login: null,
      second_person_from: ago(-83_400),
    }),
    user("operator-1", "admin", { os_users: ["deploy"] }),
    user("second-admin", "admin"),
    user("viewer-1", "viewer", { is_active: false }),
    user("olaf", "operator"),
    user("ci-deploy", "operator", { is_service: true, owner: "olaf" }),
    user("ci-backup", "viewer", { is_service: true, owner_team: "Payments" }),
    ...Array.from({ length: 20 }, (_, i) => user(`vera-${i + 1}`, "viewer")),
  ],
  sessions: {
    "operator-1": [session("s_1", FIREFOX, true), session("s_2", CHROME, false)],
    anna: [session("s_3", CHROME, false)],
  },
  tokens: {
    "operator-1": [
      { ...token("t_1", "incident bot", "operator", 60), last_used_at: ago(300) },
      token("t_2", "the dashboard of the people on call, second floor", "viewer", 340),
      ...Array.from({ length: 20 }, (_, i) => token(`t_${i + 10}`, `batch ${i + 1}`, "viewer", 30)),
    ],
    anna: [token("t_3", "approve from the shell", "approver", 12)],
  },
});
