import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import { useSetLinkEnvironment } from "@/api/resources/teams";
import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { EnvironmentDialog } from "@/components/EnvironmentForm";
import { useRefusal } from "@/components/use-refusal";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { HomeSideForm } from "./HomeSideForm";
import { RenameLinkForm } from "./RenameLinkForm";
import { StandbyWritesForm } from "./StandbyWritesForm";
import { SwapNamesForm } from "./SwapNamesForm";

function ClusterLink({ cluster }: { cluster: { id: string; name: string } }) {
  return (
    <AppLink to="/clusters/$clusterId" params={{ clusterId: cluster.id }}>
      {cluster.name}
    </AppLink>
  );
}

function Changes({ link }: { link: LinkDetail }) {
  const refusal = useRefusal("configure");
  const { data } = useQuery(linksQuery());
  const noOther = data ? "There is no other link." : "The other links are unknown.";
  const others = data?.results.filter(({ id }) => id !== link.id) ?? [];
  return (
    <div className="row end">
      <ChangeDialog label="Rename link" title={`Rename ${link.name}`} disabledReason={refusal}>
        {(close) => <RenameLinkForm link={link} close={close} />}
      </ChangeDialog>
      <ChangeDialog
        label="Change home side"
        title={`Change home side of ${link.name}`}
        disabledReason={refusal}
      >
        {(close) => <HomeSideForm link={link} close={close} />}
      </ChangeDialog>
      <ChangeDialog
        label="Change standby writes"
        title={`Change writes on the standby side of ${link.name}`}
        disabledReason={refusal}
      >
        {(close) => <StandbyWritesForm link={link} close={close} />}
      </ChangeDialog>
      <EnvironmentDialog {...link} save={useSetLinkEnvironment(link.id).mutateAsync} />
      <ChangeDialog
        label="Swap names"
        title={`Swap names of ${link.name} and another link`}
        disabledReason={refusal ?? (others.length === 0 ? noOther : null)}
      >
        {(close) => <SwapNamesForm link={link} others={others} close={close} />}
      </ChangeDialog>
    </div>
  );
}

/** What is registered of a link: its name, its clusters and its home side. */
export function LinkPanel({ link }: { link: LinkDetail }) {
  return (
    <Panel title="Link">
      <div className="stack">
        <DescriptionList
          items={[
            ["Name", link.name],
            ["Active cluster", <ClusterLink key="a" cluster={link.active_cluster} />],
            ["Standby cluster", <ClusterLink key="s" cluster={link.standby_cluster} />],
            ["Environment", link.environment || "none"],
            ["Home side", link.home_cluster.name],
            [
              "Writes on the standby side",
              link.writes_on_both_sides ? "on purpose" : "not expected",
            ],
            ["Connection name", link.channel_name || "(default)"],
          ]}
        />
        <Changes link={link} />
      </div>
    </Panel>
  );
}
