/** The pages of clusters and of what is read from their servers. */
import { createRoute, lazyRouteComponent as page } from "@tanstack/react-router";
import { clusterAdviceQuery } from "@/api/resources/advice";
import { bandwidthQuery } from "@/api/resources/bandwidth";
import { clusterQuery, clustersQuery, membershipQuery } from "@/api/resources/clusters";
import { labQuery } from "@/api/resources/lab";
import { linksQuery } from "@/api/resources/links";
import { nodeAbsenceQuery } from "@/api/resources/node-maintenance";
import {
  clustersSearch,
  concurrencySearch,
  configurationSearch,
  lookupSearch,
  registrationSearch,
} from "../search-params";
import { read, shell } from "./shell";

const clusters = createRoute({
  getParentRoute: () => shell,
  path: "/clusters",
  validateSearch: clustersSearch,
  loader: ({ context }) => read(context.queryClient, clustersQuery()),
  component: page(() => import("@/features/clusters/ClustersPage"), "ClustersPage"),
});
const createClusterRoute = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/new",
  component: page(() => import("@/features/clusters/CreateClusterPage"), "CreateClusterPage"),
});
const cluster = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId",
  loader: ({ context, params }) =>
    read(
      context.queryClient,
      clusterQuery(params.clusterId),
      membershipQuery(params.clusterId),
      linksQuery(),
    ),
  component: page(() => import("@/features/clusters/detail/ClusterPage"), "ClusterPage"),
});
const nodeMaintenance = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId/maintenance",
  loader: ({ context, params }) => read(context.queryClient, nodeAbsenceQuery(params.clusterId)),
  component: page(
    () => import("@/features/adviser/maintenance/NodeMaintenancePage"),
    "NodeMaintenancePage",
  ),
});
const bandwidth = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId/bandwidth",
  loader: ({ context, params }) => read(context.queryClient, bandwidthQuery(params.clusterId)),
  component: page(() => import("@/features/adviser/bandwidth/BandwidthPage"), "BandwidthPage"),
});
const concurrency = createRoute({
  getParentRoute: () => shell,
  path: "/concurrency",
  validateSearch: concurrencySearch,
  loader: ({ context }) => read(context.queryClient, clustersQuery()),
  component: page(
    () => import("@/features/adviser/concurrency/ConcurrencyPage"),
    "ConcurrencyPage",
  ),
});
const clusterAdvice = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId/advice",
  loader: ({ context, params }) => read(context.queryClient, clusterAdviceQuery(params.clusterId)),
  component: page(() => import("@/features/adviser/advice/ClusterAdvicePage"), "ClusterAdvicePage"),
});
const configuration = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId/configuration",
  validateSearch: configurationSearch,
  component: page(
    () => import("@/features/adviser/configuration/ConfigurationPage"),
    "ConfigurationPage",
  ),
});
const registrations = createRoute({
  getParentRoute: () => shell,
  path: "/registrations",
  component: page(() => import("@/features/registration/RegistrationsPage"), "RegistrationsPage"),
});
const registration = createRoute({
  getParentRoute: () => shell,
  path: "/registrations/$registrationId",
  validateSearch: registrationSearch,
  component: page(() => import("@/features/registration/GuidePage"), "GuidePage"),
});
const lookup = createRoute({
  getParentRoute: () => shell,
  path: "/lookup",
  validateSearch: lookupSearch,
  loader: ({ context }) => read(context.queryClient, clustersQuery(), linksQuery()),
  component: page(() => import("@/features/transactions/lookup/LookupPage"), "LookupPage"),
});
const lab = createRoute({
  getParentRoute: () => shell,
  path: "/lab",
  loader: ({ context }) => read(context.queryClient, labQuery()),
  component: page(() => import("@/features/lab/LabPage"), "LabPage"),
});

export const clusterRoutes = [
  clusters,
  createClusterRoute,
  cluster,
  nodeMaintenance,
  bandwidth,
  concurrency,
  clusterAdvice,
  configuration,
  registrations,
  registration,
  lookup,
  lab,
];
