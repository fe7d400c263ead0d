import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { Cluster, Link } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { LOOKUP_KIND_LABELS, type LookupKind, suggestKind } from "@/domain/lookup-kinds";
import { zoneLabel } from "@/lib/format/time";
import css from "./Lookup.module.css";
import {
  kindOf,
  type LookupSearch,
  type LookupValues,
  searchOf,
  typedError,
  valuesOf,
} from "./lookup-search";

type Form = UseFormReturnType<LookupValues>;

interface LookupFormProps {
  links: readonly Link[];
  clusters: readonly Cluster[];
  link: Link;
  search: LookupSearch;
  onSearch: (search: LookupSearch) => void;
}

const clustersOf = (link: Link | undefined, clusters: readonly Cluster[]) =>
  [link?.active_cluster.id, link?.standby_cluster.id].flatMap((id) =>
    clusters.filter((cluster) => cluster.id === id),
  );

const options = (entries: readonly { id: string; name: string; site?: string }[]) =>
  entries.map(({ id, name, site }) => ({ value: id, label: site ? `${name}, ${site}` : name }));

const KINDS = Object.entries(LOOKUP_KIND_LABELS).map(([value, label]) => ({ value, label }));

/** What the typed text looks like, until the user says otherwise. */
function KindSelect({ form }: { form: Form }) {
  const suggested = suggestKind(form.values.typed);
  const automatic = suggested ? `Suggested: ${LOOKUP_KIND_LABELS[suggested]}` : "By what is typed";
  return (
    <NativeSelect
      label="Search by"
      className={css.field}
      data={[{ value: "", label: automatic }, ...KINDS]}
      {...form.getInputProps("kind")}
    />
  );
}

/** The cluster that counted an Xid, or the node whose log a position is in: neither means anything without. */
function Owner({ form, kind, sides }: { form: Form; kind: LookupKind; sides: Cluster[] }) {
  if (kind === "xid")
    return (
      <NativeSelect
        label="Cluster that counted it"
        className={css.field}
        data={options(sides)}
        {...form.getInputProps("cluster")}
      />
    );
  if (kind === "position")
    return (
      <NativeSelect
        label="Node of this log"
        className={css.field}
        data={options(sides.flatMap((cluster) => cluster.nodes))}
        {...form.getInputProps("node")}
      />
    );
  return null;
}

/** Criteria that must hold, too; the one of the first field is not repeated. */
function MoreCriteria({ form, kind }: { form: Form; kind: LookupKind | undefined }) {
  const { zone } = useTimeZone();
  const time = { type: "datetime-local", step: 1, className: css.time };
  return (
    <div className="row top">
      {kind !== "time" && (
        <>
          <TextInput
            {...time}
            label={`From (${zoneLabel(zone)})`}
            {...form.getInputProps("since")}
          />
          <TextInput {...time} label={`To (${zoneLabel(zone)})`} {...form.getInputProps("until")} />
        </>
      )}
      {kind !== "table" && (
        <TextInput
          label="Table"
          placeholder="shop.orders"
          className={css.more}
          {...form.getInputProps("table")}
        />
      )}
      {kind !== "text" && (
        <TextInput
          label="Statement text"
          placeholder="UPDATE orders"
          className={css.more}
          {...form.getInputProps("text")}
        />
      )}
      {kind !== "server_id" && (
        <TextInput
          label="Server id of its origin"
          inputMode="numeric"
          className={css.more}
          {...form.getInputProps("server_id")}
        />
      )}
    </div>
  );
}

/** The transaction to find; the address of the page keeps it. */
export function LookupForm({ links, clusters, link, search, onSearch }: LookupFormProps) {
  const { zone } = useTimeZone();
  const sides = clustersOf(link, clusters);
  const values = valuesOf(search, link.id, zone);
  const form = useForm<LookupValues>({
    initialValues: {
      ...values,
      cluster: values.cluster || (sides[0]?.id ?? ""),
      node: values.node || (sides[0]?.nodes[0]?.id ?? ""),
    },
    validate: {
      typed: (_, all) => typedError(all, zone),
      table: (table) => (!table || /^[^.\s]+\.[^.\s]+$/.test(table) ? null : "Enter schema.table"),
      text: (text) => (!text || text.trim().length >= 3 ? null : "Enter at least 3 characters"),
      server_id: (id) => (!id || /^\d{1,10}$/.test(id) ? null : "Enter digits only"),
      until: (until, { since }) =>
        since && until && until < since ? "Enter a time that is not before the first" : null,
    },
  });
  const kind = kindOf(form.values);
  const chosen = clustersOf(
    links.find(({ id }) => id === form.values.link),
    clusters,
  );
  const changeLink = (id: string) => {
    const [first] = clustersOf(
      links.find((entry) => entry.id === id),
      clusters,
    );
    form.setValues({ link: id, cluster: first?.id ?? "", node: first?.nodes[0]?.id ?? "" });
  };
  return (
    <form
      className="stack"
      aria-label="Lookup"
      onSubmit={form.onSubmit((sent) => onSearch(searchOf(sent, zone)))}
    >
      <div className="row top">
        <NativeSelect
          label="Link"
          className={css.field}
          data={options(links)}
          value={form.values.link}
          onChange={(event) => changeLink(event.currentTarget.value)}
        />
        <TextInput
          label="What you know of the transaction"
          placeholder="Xid, GTID, file:position, time, table or part of a statement"
          className={css.typed}
          {...form.getInputProps("typed")}
        />
        <KindSelect form={form} />
        {kind && <Owner form={form} kind={kind} sides={chosen} />}
      </div>
      <MoreCriteria form={form} kind={kind} />
      <div>
        <Button type="submit">Find transaction</Button>
      </div>
    </form>
  );
}
