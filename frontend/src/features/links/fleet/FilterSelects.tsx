import { Checkbox, Select } from "@mantine/core";
import { ADVICE_FILTER_LABELS } from "@/domain/fleet/advice";
import { GROUP_LABELS, SORT_LABELS } from "@/domain/fleet/texts";
import type { LinkView } from "@/domain/fleet/view";
import { ADVICE_FILTERS, GROUPS, LINK_STATES, SORTS } from "@/domain/fleet/view-options";
import { statusFor } from "@/domain/status";
import css from "./Fleet.module.css";

interface FilterSelectsProps {
  view: LinkView;
  sites: readonly string[];
  environments: readonly string[];
  change: (view: LinkView) => void;
  /** On a phone the table has no head to sort by. */
  withSorting?: boolean;
}

const SHARED = { size: "xs", className: css.select } as const;
const oneOf = <Value extends string>(values: readonly Value[], value: string | null) =>
  values.find((each) => each === value);

/** What is shown of the list besides the text that is searched for, and in which groups. */
export function FilterSelects(props: FilterSelectsProps) {
  const { view, sites, environments, change, withSorting = false } = props;
  return (
    <>
      <Select
        {...SHARED}
        aria-label="State"
        placeholder="All states"
        clearable
        data={LINK_STATES.map((value) => ({ value, label: statusFor("link", value).word }))}
        value={view.state ?? null}
        onChange={(value) => change({ state: oneOf(LINK_STATES, value) })}
      />
      <Select
        {...SHARED}
        aria-label="Site"
        placeholder="All sites"
        clearable
        searchable
        limit={100}
        data={[...sites]}
        value={view.site ?? null}
        onChange={(value) => change({ site: value ?? undefined })}
      />
      {environments.length > 0 && (
        <Select
          {...SHARED}
          aria-label="Environment"
          placeholder="All environments"
          clearable
          searchable
          limit={100}
          data={[...environments]}
          value={view.environment ?? null}
          onChange={(value) => change({ environment: value ?? undefined })}
        />
      )}
      <Select
        {...SHARED}
        aria-label="Advice"
        placeholder="All advice"
        clearable
        data={ADVICE_FILTERS.map((value) => ({ value, label: ADVICE_FILTER_LABELS[value] }))}
        value={view.advice ?? null}
        onChange={(value) => change({ advice: oneOf(ADVICE_FILTERS, value) })}
      />
      <Select
        {...SHARED}
        className={css.group ?? ""}
        aria-label="Group by"
        allowDeselect={false}
        data={GROUPS.map((value) => ({
          value,
          label:
            value === "none" ? GROUP_LABELS.none : `Group: ${GROUP_LABELS[value].toLowerCase()}`,
        }))}
        value={view.group ?? "attention"}
        onChange={(value) => {
          const group = oneOf(GROUPS, value);
          change({ group: group === "attention" ? undefined : group });
        }}
      />
      {withSorting && (
        <Select
          {...SHARED}
          aria-label="Sort by"
          allowDeselect={false}
          data={SORTS.map((value) => ({
            value,
            label: `Sort: ${SORT_LABELS[value].toLowerCase()}`,
          }))}
          value={view.sort ?? "attention"}
          onChange={(value) => change({ sort: oneOf(SORTS, value), desc: undefined })}
        />
      )}
      <Checkbox
        size="xs"
        label="Needs attention"
        checked={view.attention ?? false}
        onChange={(event) => change({ attention: event.currentTarget.checked || undefined })}
      />
    </>
  );
}
