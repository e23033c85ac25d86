import { useSearchParams } from 'react-router';
import type { TableFilter } from './column.ts';
import type { Order } from './order.ts';

/** The state of a table: page, page size, filters and order. */
export type TableState = {
  /** The number of the page, from 1. */
  readonly page: number;
  /** Rows on a page. */
  readonly limit: number;
  /** The filters that are set, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly order: Order;
};

/** The sizes of a page that people may choose. */
export const pageSizes = [25, 50, 100] as const;

/** The stored state of a table in this browser: the display, never searches, which may be about people. */
type Remembered = { readonly limit: number; readonly order: Order };

/** The effect of a change on the browser's history: a new entry, or a replacement of the current one. */
export type HistoryStep = 'push' | 'replace';

/** Changes some of the state; to page 1, unless the page itself is given. */
export type ChangeTable = (changes: Partial<TableState>, step?: HistoryStep) => void;

/**
 * Keeps the state of a table in the address, so that it can be shared and gone back to. The page size and the order are
 * remembered in this browser, too; the address wins.
 * @param id the table's name in the browser's storage
 * @param secondary a table beside another on one page: its names in the address begin with its id
 */
export function useTableState(
  id: string,
  filters: readonly TableFilter[],
  secondary: boolean,
): readonly [TableState, ChangeTable] {
  const [params, setParams] = useSearchParams();
  const nameOf = (name: string) => (secondary ? `${id}.${name}` : name);
  const fields = filters.map(({ field }) => field);
  const kept = remembered(id);
  const values = fields.flatMap((field) => {
    const value = params.get(nameOf(field));
    return value === null || value === '' ? [] : [[field, value] as const];
  });
  const state: TableState = {
    page: knownPage(Number(params.get(nameOf('page')) ?? 1)),
    limit: knownSize(Number(params.get(nameOf('limit')) ?? kept.limit)),
    values: Object.fromEntries(values),
    order: params.get(nameOf('order')) ?? kept.order,
  };

  function change(changes: Partial<TableState>, step: HistoryStep = 'push'): void {
    const next = { ...state, page: 1, ...changes };
    const entered: Readonly<Record<string, string | undefined>> = { ...next.values, order: next.order };
    localStorage.setItem(keyOf(id), JSON.stringify({ limit: next.limit, order: next.order } satisfies Remembered));
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
      { replace: step === 'replace', preventScrollReset: true },
    );
  }

  return [state, change];
}

/** Removes the filters that former versions of the console kept in this browser. */
export function forgetFormerFilters(): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(KEY) || !(localStorage.getItem(key) ?? '').includes('"values"')) continue;
    localStorage.setItem(key, JSON.stringify(remembered(key.slice(KEY.length))));
  }
}

function remembered(id: string): Remembered {
  const { limit, order } = read(id);
  return { limit: knownSize(limit ?? pageSizes[0]), order: typeof order === 'string' ? order : '' };
}

function read(id: string): Partial<Remembered> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id)) ?? '{}') as Partial<Remembered>;
  } catch {
    return {};
  }
}

/** Pages are 32-bit numbers to the service. */
function knownPage(page: number): number {
  return Math.min(Math.max(1, Math.trunc(page) || 1), 1_000_000);
}

function knownSize(size: number): number {
  return pageSizes.find((known) => known === size) ?? pageSizes[0];
}

const KEY = 'laurel.table.';

function keyOf(id: string): string {
  return `${KEY}${id}`;
}
