import { AppLink } from "./AppLink";
import tabs from "./PageTabs.module.css";

const TABS = [
  { key: "now", label: "Overview", to: "/clusters/$clusterId" },
  { key: "advice", label: "Advice", to: "/clusters/$clusterId/advice" },
  { key: "configuration", label: "Configuration", to: "/clusters/$clusterId/configuration" },
  { key: "bandwidth", label: "Bandwidth", to: "/clusters/$clusterId/bandwidth" },
  { key: "maintenance", label: "Node maintenance", to: "/clusters/$clusterId/maintenance" },
] as const;

/** The pages of one cluster. */
export function ClusterTabs(props: {
  cluster: { id: string; name: string };
  at: (typeof TABS)[number]["key"] | "distance";
}) {
  const { cluster, at } = props;
  return (
    <nav className={`${tabs.tabs} no-print`} aria-label={`Pages of ${cluster.name}`}>
      {TABS.map((tab) => (
        <AppLink
          key={tab.key}
          to={tab.to}
          params={{ clusterId: cluster.id }}
          activeOptions={{ exact: true }}
          className={tabs.tab}
          aria-current={tab.key === at ? "page" : undefined}
        >
          {tab.label}
        </AppLink>
      ))}
      <AppLink
        to="/concurrency"
        search={{ cluster: cluster.id }}
        className={tabs.tab}
        aria-current={at === "distance" ? "page" : undefined}
      >
        Distance
      </AppLink>
    </nav>
  );
}
