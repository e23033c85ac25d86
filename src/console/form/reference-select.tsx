import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RowOf } from '../table/column.ts';
import { filterOf, type FilterValue } from '../table/filter-of.ts';
import { type InlineCreate, useInlineCreate } from './inline-create.tsx';
import type { References } from './references.ts';

/** Most choices that are offered at once; further ones are found by typing. */
const OFFERED = 30;

type ReferenceOptions<Input extends DescMessage, Output extends DescMessage> = {
  /** The choices. */
  readonly of: References<RowOf<Output>, Input, Output>;
  readonly where?: Readonly<Record<string, FilterValue | undefined>>;
  readonly label: string;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly error?: ReactNode;
  readonly onBlur?: () => void;
  /** Creates a missing row; without it only existing rows can be chosen. */
  readonly make?: InlineCreate | undefined;
};

/** Chooses one of the service's rows by name: an audience, a product, an event definition. */
export function ReferenceSelect<Input extends DescMessage, Output extends DescMessage>({
  value = '',
  onChange,
  clearable,
  ...options
}: ReferenceOptions<Input, Output> & {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly clearable?: boolean;
}) {
  const { field, data, search } = useReferences(options, value === '' ? [] : [value]);
  const typed = search.isNameOf(value, search.typed) ? '' : search.typed;
  const making = useInlineCreate(options.make, typed, onChange);
  const choose = (chosen: string | null) => (making.isMake(chosen) ? making.open() : onChange(chosen ?? ''));
  return (
    <>
      <Select
        {...field}
        data={[...data, ...making.choices]}
        value={value === '' ? null : value}
        onChange={choose}
        searchable
        clearable={clearable}
        allowDeselect={clearable === true}
        filter={({ options: all, search: typed }) => (search.isNameOf(value, typed) ? all : search.matches(all, typed))}
        onSearchChange={search.set}
      />
      {making.dialog}
    </>
  );
}

/** Chooses several of the service's rows by name. */
export function ReferenceMultiSelect<Input extends DescMessage, Output extends DescMessage>({
  value = [],
  onChange,
  maxValues,
  ...options
}: ReferenceOptions<Input, Output> & {
  readonly value?: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly maxValues?: number;
}) {
  const { field, data, search, isNaming } = useReferences(options, value);
  const making = useInlineCreate(options.make, search.typed, (made) => onChange([...value, made]));
  // A pill would show the bare id until the name is read.
  const unnamed = value
    .filter((id) => !data.some((choice) => choice.value === id))
    .map((id) => ({ value: id, label: isNaming ? '…' : id }));
  const choose = (chosen: string[]) => (chosen.some(making.isMake) ? making.open() : onChange(chosen));
  return (
    <>
      <MultiSelect
        {...field}
        data={[...data, ...unnamed, ...making.choices]}
        value={[...value]}
        onChange={choose}
        maxValues={maxValues}
        searchable
        hidePickedOptions
        onSearchChange={search.set}
      />
      {making.dialog}
    </>
  );
}

type Choice = { readonly value: string; readonly label: string };

function useReferences<Input extends DescMessage, Output extends DescMessage>(
  options: ReferenceOptions<Input, Output>,
  chosen: readonly string[],
) {
  const { of: references, where, make: _make, ...field } = options;
  const { method, valueOf, labelOf, valueField, labelField } = references;
  const t = useTranslations('form');
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed, 200);
  const choicesOf = (answer: unknown): Choice[] =>
    ((answer as { readonly rows: readonly RowOf<Output>[] } | undefined)?.rows ?? []).map((row) => ({
      value: valueOf(row),
      label: labelOf(row),
    }));

  const named = useQuery(method, pageOf({ [valueField]: chosen }, chosen.length), {
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  });
  const namedChoices = choicesOf(named.data).filter(({ value }) => chosen.includes(value));
  const isName = namedChoices.some(({ label }) => label === sought);
  const found = useQuery(method, pageOf({ ...where, [labelField]: isName ? '' : sought }, OFFERED), {
    placeholderData: keepPreviousData,
  });
  const data = [
    ...new Map([...namedChoices, ...choicesOf(found.data)].map((choice) => [choice.value, choice])).values(),
  ];

  function pageOf(conditions: Record<string, FilterValue | undefined>, limit: number): MessageInitShape<Input> {
    return { page: 1, limit: Math.max(limit, 1), filters: filterOf(conditions) } as unknown as MessageInitShape<Input>;
  }

  return {
    field: {
      placeholder: chosen.length === 0 ? t('choose') : undefined,
      ...field,
      nothingFoundMessage: t('nothingFound'),
      withAsterisk: options.required,
    },
    data,
    /** Whether the names of the chosen rows are still being read. */
    isNaming: named.isPending,
    search: {
      typed,
      set: setTyped,
      /** Whether the field's text is the name of the chosen row, not a search. */
      isNameOf: (value: string, text: string) => data.some((choice) => choice.value === value && choice.label === text),
      matches: <Option extends object>(all: Option[], text: string) =>
        all.filter((option) => 'label' in option && String(option.label).toLowerCase().includes(text.toLowerCase())),
    },
  };
}
