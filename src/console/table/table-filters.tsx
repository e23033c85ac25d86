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
  const { labelOf } = useTitles();
  const set = (field: string, value: string, step: HistoryStep = 'push') => {
    const { [field]: _former, ...others } = props.values;
    props.onChange(value === '' ? others : { ...others, [field]: value }, step);
  };
  return (
    <Group gap="sm" p="md" role="search">
      {props.filters.map((filter) =>
        filter.options ? (
          <Select
            key={filter.field}
            aria-label={labelOf(filter)}
            placeholder={labelOf(filter)}
            data={[...filter.options]}
            value={props.values[filter.field] ?? null}
            onChange={(value) => set(filter.field, value ?? '')}
            clearable
            searchable={filter.options.length > 12}
            w={{ base: 'calc(50% - 6px)', xs: 180 }}
          />
        ) : (
          <TextFilter
            key={filter.field}
            label={labelOf(filter)}
            value={props.values[filter.field] ?? ''}
            onChange={(value, step) => set(filter.field, value, step)}
          />
        ),
      )}
      {props.end}
    </Group>
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
