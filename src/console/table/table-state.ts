import { useSearchParams } from 'react-router';
import type { TableFilter } from './column.ts';
import type { Order } from './order.ts';

/** Where somebody is in a table. */
export type TableState = {
  /** From 1. */
  readonly page: number;
  /** Rows on a page. */
  readonly limit: number;
  /** The filters that are set, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly order: Order;
};

/** The sizes of a page that people may choose. */
export const pageSizes = [25, 50, 100] as const;

/**
 * Keeps the state of a table in the address, so that it can be shared and gone back to, and in this browser, so that the
 * table is found again as it was left. The address wins.
 * @param id the table's name in the browser's storage
 * @param secondary a table beside another on one page: its names in the address begin with its id
 */
export function useTableState(
  id: string,
  filters: readonly TableFilter[],
  secondary: boolean,
): readonly [TableState, (changes: Partial<TableState>) => void] {
  const [params, setParams] = useSearchParams();
  const nameOf = (name: string) => (secondary ? `${id}.${name}` : name);
  const fields = filters.map(({ field }) => field);
  const inAddress = ['page', 'order', ...fields].some((name) => params.has(nameOf(name)));
  const state = inAddress ? fromAddress() : remembered(id, fields);

  function fromAddress(): TableState {
    const values = fields.flatMap((field) => {
      const value = params.get(nameOf(field));
      return value === null || value === '' ? [] : [[field, value] as const];
    });
    return {
      page: Math.max(1, Math.trunc(Number(params.get(nameOf('page')) ?? 1)) || 1),
      limit: knownSize(Number(params.get(nameOf('limit')) ?? remembered(id, fields).limit)),
      values: Object.fromEntries(values),
      order: params.get(nameOf('order')) ?? '',
    };
  }

  function change(changes: Partial<TableState>): void {
    const next = { ...state, page: 1, ...changes };
    const entered: Readonly<Record<string, string | undefined>> = { ...next.values, order: next.order };
    localStorage.setItem(keyOf(id), JSON.stringify({ ...next, page: undefined }));
    setParams(
      (former) => {
        const params = new URLSearchParams(former);
        params.set(nameOf('page'), String(next.page));
        params.set(nameOf('limit'), String(next.limit));
        for (const field of ['order', ...fields]) {
          const value = entered[field];
          if (value === undefined || value === '') params.delete(nameOf(field));
          else params.set(nameOf(field), value);
        }
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  return [state, change];
}

function remembered(id: string, fields: readonly string[]): TableState {
  const stored = read(id);
  const values = Object.entries(stored.values ?? {}).filter(([field]) => fields.includes(field));
  return {
    page: 1,
    limit: knownSize(stored.limit ?? 25),
    values: Object.fromEntries(values),
    order: stored.order ?? '',
  };
}

function read(id: string): Partial<TableState> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id)) ?? '{}') as Partial<TableState>;
  } catch {
    return {};
  }
}

function knownSize(size: number): number {
  return pageSizes.find((known) => known === size) ?? pageSizes[0];
}

function keyOf(id: string): string {
  return `laurel.table.${id}`;
}
