import { useTransport } from '@connectrpc/connect-query';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { isUuid } from '../../api/uuid.ts';
import { findAccounts } from '../audiences/find-accounts.ts';

type Values = Readonly<Record<string, string>>;

/** The filters of a list, kept in the address. */
export function useAddressValues(fields: readonly string[]): [Values, (values: Values) => void] {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(
    fields.flatMap((field) => {
      const value = params.get(field);
      return value === null || value === '' ? [] : [[field, value.trim()] as const];
    }),
  );
  function change(next: Values): void {
    setParams(
      (former) => {
        const changed = new URLSearchParams(former);
        for (const field of fields) changed.delete(field);
        for (const [field, value] of Object.entries(next)) changed.set(field, value);
        return changed;
      },
      { replace: true },
    );
  }
  return [values, change];
}

/** The account of a typed external or internal id; all accounts without an id. */
export function useAccountId(typed: string): {
  readonly id?: string;
  readonly isKnown: boolean;
  readonly isAbsent: boolean;
} {
  const transport = useTransport();
  const isId = isUuid(typed);
  const found = useQuery({
    queryKey: ['account of external id', typed],
    queryFn: () => findAccounts(transport, [typed]),
    enabled: typed !== '' && !isId,
    staleTime: 60_000,
  });
  if (typed === '') return { isKnown: true, isAbsent: false };
  const id = found.data?.ids[0] ?? (isId ? typed.toLowerCase() : undefined);
  if (id !== undefined) return { id, isKnown: true, isAbsent: false };
  return { isKnown: false, isAbsent: found.data !== undefined };
}
