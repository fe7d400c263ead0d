/** Network settings of hosts as the server compares them: two changes, one right value, one that is left alone. */
import type { ClusterProfile, HostComparison, HostSettingRow, HostSettings } from "@/api/types";

export const HOST_SETTINGS_COMMAND =
  "/sbin/sysctl -e net.ipv4.tcp_congestion_control net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.core.rmem_max net.core.wmem_max net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_mtu_probing net.ipv4.tcp_tw_recycle net.core.rmem_default net.core.wmem_default net.core.optmem_max net.core.netdev_max_backlog net.core.default_qdisc net.ipv4.tcp_max_syn_backlog net.ipv4.tcp_max_tw_buckets net.ipv4.tcp_tw_reuse net.ipv4.tcp_fin_timeout net.ipv4.tcp_available_congestion_control";

export const UNREADABLE =
  "Line 1: net.core.rmem_max must be a number, not 'many'. Nothing was compared. Run the command shown and paste its whole output.";

const LEFT_ALONE: HostSettingRow = {
  name: "net.ipv4.tcp_fin_timeout",
  current: "60",
  recommended: null,
  is_minimum: false,
  judgement: "not_advised",
  why: "It concerns many short connections. Replication keeps a few open for long, so it changes nothing.",
  effect: "",
  based_on: "",
  statement: "",
  undo: "",
};

const ROWS: readonly HostSettingRow[] = [
  {
    name: "net.ipv4.tcp_congestion_control",
    current: "cubic",
    recommended: "bbr",
    is_minimum: false,
    judgement: "change",
    why: "Most algorithms, such as cubic, take every lost packet for a full line and slow down. On a full line, other connections may get less beside bbr. bbr is not loaded on this host: the statement loads it, or fails where the kernel does not have it.",
    effect:
      "One connection at 50 ms with 1 % loss: 164 Mbit/s with bbr, 4.1 with cubic. Without loss, commits took as long with either.",
    based_on: "measured in the lab with distance, Linux 6.18",
    statement: "sysctl -w net.ipv4.tcp_congestion_control=bbr",
    undo: "sysctl -w net.ipv4.tcp_congestion_control=cubic",
  },
  {
    name: "net.ipv4.tcp_rmem",
    current: "4096 131072 6291456",
    recommended: "4096 131072 16777216",
    is_minimum: true,
    judgement: "change",
    why: "One connection carries at most its buffer in each round trip: 4 MiB at 50 ms are 671 Mbit/s, 16 MiB are 2,684. Only the last of the three numbers is the limit; the first two are kept.",
    effect: "not measured here",
    based_on: "field article on one cluster over two sites",
    statement: "sysctl -w net.ipv4.tcp_rmem='4096 131072 16777216'",
    undo: "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'",
  },
  {
    name: "net.ipv4.tcp_mtu_probing",
    current: "2",
    recommended: "1",
    is_minimum: true,
    judgement: "right",
    why: "Finds a smaller packet size where a tunnel or firewall drops large packets without a word, so that the connection does not hang.",
    effect: "not measured here",
    based_on: "field article on one cluster over two sites",
    statement: "",
    undo: "",
  },
];

const LINES = `# /etc/sysctl.d/60-hawser.conf
# Loaded at boot and by: sysctl --system. A later file with the same setting wins, for example 99-sysctl.conf.
net.ipv4.tcp_congestion_control = bbr
net.ipv4.tcp_rmem = 4096 131072 16777216
`;

const left = (row: HostSettingRow): HostSettingRow => ({
  ...LEFT_ALONE,
  name: row.name,
  current: row.current,
  why: "It matters over distance, and changes nothing worth having at one site.",
});

function comparison(host: string, isDistant: boolean): HostComparison {
  return {
    host,
    rows: [...(isDistant ? ROWS : ROWS.map(left)), LEFT_ALONE],
    missing: isDistant ? ["net.ipv4.tcp_slow_start_after_idle"] : [],
    fragment: isDistant ? LINES : "",
  };
}

/** One host, or the two of a result of the probe. */
export function hostSettings(text: string, profile: ClusterProfile): HostSettings {
  const hosts = text.startsWith("{") ? ["db-a1 of milan", "db-b1 of frankfurt"] : [""];
  return { profile, hosts: hosts.map((host) => comparison(host, profile === "two_sites")) };
}
