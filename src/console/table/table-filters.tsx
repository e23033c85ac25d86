import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { TableFilter } from './column.ts';
import type { HistoryStep } from './table-state.ts';
import { useTitles } from './use-titles.ts';

/** Milliseconds without typing before a filter applies. */
const TYPING = 250;

/** The fields above a table that narrow it. */
export function TableFilters(props: {
  readonly filters: readonly TableFilter[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>, step: HistoryStep) => void;
  /** The content after them. */
  readonly end?: ReactNode;
}) {
  const set = (field: string, value: string, step: HistoryStep = 'push') => {
    const { [field]: _former, ...others } = props.values;
    props.onChange(value === '' ? others : { ...others, [field]: value }, step);
  };
  const groups = Map.groupBy(props.filters, ({ group }) => group);
  return (
    <Group gap="sm" p="md" role="search">
      {[...groups].map(([group, filters]) =>
        group === undefined ? (
          filters.map((filter) => (
            <FilterField key={filter.field} filter={filter} value={props.values[filter.field] ?? ''} onChange={set} />
          ))
        ) : (
          <GroupedFilter key={group} {...props} filters={filters} label={group} onSet={set} />
        ),
      )}
      {props.end}
    </Group>
  );
}

type SetFilter = (field: string, value: string, step?: HistoryStep) => void;

function FilterField({
  filter,
  value,
  onChange,
}: {
  readonly filter: TableFilter;
  readonly value: string;
  readonly onChange: SetFilter;
}) {
  const { labelOf } = useTitles();
  const label = labelOf(filter);
  return filter.options ? (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...filter.options]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(filter.field, chosen ?? '')}
      clearable
      searchable={filter.options.length > 12}
      w={{ base: 'calc(50% - 6px)', xs: 180 }}
    />
  ) : (
    <TextFilter label={label} value={value} onChange={(text, step) => onChange(filter.field, text, step)} />
  );
}

/** One of several filters: it is chosen first, then its value. Another choice takes the value away. */
function GroupedFilter(props: {
  readonly label: string;
  readonly filters: readonly TableFilter[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>, step: HistoryStep) => void;
  readonly onSet: SetFilter;
}) {
  const { labelOf } = useTitles();
  const [chosen, setChosen] = useState<string>();
  const { filters, values } = props;
  const active =
    filters.find(({ field }) => values[field] !== undefined) ?? filters.find(({ field }) => field === chosen);

  function choose(field: string | null): void {
    setChosen(field ?? undefined);
    const own = new Set(filters.map((filter) => filter.field));
    const others = Object.entries(values).filter(([name]) => !own.has(name));
    if (others.length < Object.keys(values).length) props.onChange(Object.fromEntries(others), 'push');
  }

  return (
    <>
      <Select
        aria-label={props.label}
        placeholder={props.label}
        data={filters.map((filter) => ({ value: filter.field, label: labelOf(filter) }))}
        value={active?.field ?? null}
        onChange={choose}
        clearable
        searchable={filters.length > 12}
        w={{ base: 'calc(50% - 6px)', xs: 180 }}
      />
      {active && (
        <FilterField
          key={active.field}
          filter={active}
          value={values[active.field] ?? ''}
          onChange={(...change) => {
            // It stays when its value is taken away, also if that came with the address.
            setChosen(active.field);
            props.onSet(...change);
          }}
        />
      )}
    </>
  );
}

function TextFilter(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string, step: HistoryStep) => void;
}) {
  const [text, setText] = useState(props.value);
  const reported = useRef(props.value);
  // Continuous typing is one step of the browser's history; Enter and leaving the field end it.
  const going = useRef(false);
  const report = useDebouncedCallback((value: string) => {
    reported.current = value;
    props.onChange(value, going.current ? 'replace' : 'push');
    going.current = true;
  }, TYPING);
  const commit = () => {
    if (report.isPending()) report.flush();
    going.current = false;
  };
  // The value changed from outside, by the clear button or the browser's back button, and replaces the typed text.
  useEffect(() => {
    if (props.value === reported.current) return;
    report.cancel();
    reported.current = props.value;
    going.current = false;
    setText(props.value);
  }, [props.value, report]);
  return (
    <TextInput
      aria-label={props.label}
      placeholder={props.label}
      leftSection={<Search size={15} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value);
      }}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      w={{ base: 'calc(50% - 6px)', xs: 220 }}
    />
  );
}
