import { useQuery } from '@connectrpc/connect-query';
import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import type { Account } from '../../../gen/laurel/v1/account_pb.ts';
import { filterOf } from '../table/filter-of.ts';

/** Most accounts that are offered at once; further ones are found by typing more. */
const OFFERED = 20;

/** Milliseconds without typing before the search. */
const TYPING = 200;

/** The prefix of a new external id in the value. */
const NEW = 'new:';

/** The new external id of a choice; undefined if an existing account was chosen. */
export function newExternalId(value: string): string | undefined {
  return value.startsWith(NEW) ? value.slice(NEW.length) : undefined;
}

/** Chooses an account by its external id, e-mail, name or id; the value is its id. */
export function AccountSelect(props: {
  readonly label: string;
  readonly description?: ReactNode;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  /** The label of a new external id; its value is then read by {@link newExternalId}. Absent: it is not offered. */
  readonly newLabel?: (externalId: string) => string;
}) {
  const { newLabel, value = '', required, onChange, ...field } = props;
  const t = useTranslations('form');
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), TYPING);
  const isKnown = value !== '' && newExternalId(value) === undefined;
  const { data: own } = useQuery(
    AccountService.method.listAccounts,
    { page: 1, limit: 1, filters: filterOf({ id: [value] }) },
    { enabled: isKnown },
  );
  const chosen = isKnown ? own?.rows.find(({ id }) => id === value) : undefined;
  const isName = chosen !== undefined && nameOf(chosen) === sought;
  const found = useQuery(
    AccountService.method.listAccounts,
    { page: 1, limit: OFFERED, search: isName ? '' : sought },
    { placeholderData: keepPreviousData },
  );
  const rows = found.data?.rows ?? [];
  const accounts = new Map([...(chosen ? [chosen] : []), ...rows].map((account) => [account.id, account]));
  const data = [...accounts.values()].map((account) => ({ value: account.id, label: nameOf(account) }));
  const externalId = newExternalId(value) ?? (isName ? '' : typed.trim());
  const isOffered = newLabel !== undefined && externalId !== '' && !rows.some((row) => row.externalId === externalId);
  const offered = isOffered ? [...data, { value: NEW + externalId, label: externalId }] : data;

  return (
    <Select
      {...field}
      placeholder={t('choose')}
      withAsterisk={required}
      data={offered}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchable
      allowDeselect={false}
      // The service has searched already.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={t('nothingFound')}
      renderOption={({ option }) => {
        const account = accounts.get(option.value);
        if (!account) return <Text size="sm">{newLabel?.(option.label)}</Text>;
        const more = [account.externalId === undefined ? undefined : account.name, account.email].filter(Boolean);
        return (
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate>
              {option.label}
            </Text>
            {more.length > 0 && (
              <Text size="xs" c="dimmed" truncate>
                {more.join(' · ')}
              </Text>
            )}
          </div>
        );
      }}
    />
  );
}

function nameOf({ id, externalId, name }: Account): string {
  return externalId ?? name ?? id;
}
