// The rows of one double, in memory, and units of work over them. A row is a plain object by the names of its properties, never changed in
// place: a unit that fails puts back the maps of its beginning.
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { amountToDecimal } from '../../../src/kernel/amount.ts';
import { setTimestampClock } from '../../../src/kernel/time/clock.ts';
import type { Database, UnitOfWork } from '../../../src/persistence/database.ts';
import { type Table, tableOf, UnderscoreNamingStrategy, UniqueConstraintViolationException } from './orm.ts';

/** A row by the names of its properties. */
// oxlint-disable-next-line typescript/no-explicit-any -- rows of all tables; their modules know the types.
export type Row = Record<string, any>;

/** The client of every double. */
export const CLIENT_ID = '00000000-0000-7000-8000-000000000001';

/** The rows of one double. */
export class Store {
  /** Raised by each change of definitions. */
  catalogVersion = 1n;
  readonly timeZone: string;
  #tables = new Map<string, Map<string, Row>>();

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** The rows of a table, in the order of their insertion. */
  rows(name: string): Row[] {
    return [...(this.#tables.get(name)?.values() ?? [])];
  }

  /** Adds or replaces a row. @throws UniqueConstraintViolationException */
  put(table: Table, row: Row): void {
    const rows = this.#tables.get(table.tableName) ?? new Map<string, Row>();
    const key = keyOf(table, row);
    for (const { name, properties, where } of table.uniques) {
      if (where !== undefined && (where !== 'deleted_at is null' || row['deletedAt'])) continue;
      const isTaken = (other: Row) =>
        keyOf(table, other) !== key &&
        (where === undefined || !other['deletedAt']) &&
        properties.every((each) => row[each] != null && row[each] === other[each]);
      if ([...rows.values()].some(isTaken)) throw new UniqueConstraintViolationException(name);
    }
    rows.set(key, row);
    this.#tables.set(table.tableName, rows);
  }

  /** Changes some properties of a row of a table, found by its id. */
  change(name: string, id: string, changes: Row): void {
    const rows = this.#tables.get(name);
    for (const [key, row] of rows ?? []) if (row['id'] === id) rows!.set(key, { ...row, ...changes });
  }

  /** Removes a row of a table, found by its id. */
  remove(name: string, id: string): void {
    const rows = this.#tables.get(name);
    for (const [key, row] of rows ?? []) if (row['id'] === id) rows!.delete(key);
  }

  /** Returns the function that puts back the present state. */
  mark(): () => void {
    const tables = new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)]));
    const version = this.catalogVersion;
    return () => {
      this.#tables = tables;
      this.catalogVersion = version;
    };
  }
}

const stores = new WeakMap<UnitOfWork, Store>();

/** The rows that a unit of work sees. */
export function storeOf(uow: UnitOfWork): Store {
  return stores.get(uow)!;
}

function keyOf({ properties }: Table, row: Row): string {
  const keys = Object.entries(properties).filter(([, { made }]) => made.isPrimary);
  return keys.map(([name]) => String(row[name])).join(' ');
}

/** A new row with the defaults of its table. JSON is stored as a copy. */
export function newRow({ properties }: Table, sent: Row): Row {
  const row: Row = {};
  for (const [name, { made }] of Object.entries(properties)) {
    if (made.isRelation) continue;
    const value = name === 'clientId' ? CLIENT_ID : (sent[name] ?? made.onCreate?.() ?? made.default ?? null);
    row[name] = made.isJson ? jsonOf(value) : value;
  }
  return row;
}

function jsonOf(value: unknown): unknown {
  if (value === null) return null;
  // A default of JSON is its text.
  return JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) as unknown;
}

const naming = new UnderscoreNamingStrategy();

/** A row as PostgreSQL's driver returns it: by the names of columns, with amounts as text. */
export function driverRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [naming.propertyToColumnName(name), inText(value)]),
  );
}

/** A row by the names of properties, with amounts as text. */
export function propertyRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inText(value)]));
}

function inText(value: unknown): unknown {
  return typeof value === 'bigint' ? amountToDecimal(value) : (value ?? null);
}

/** The part of MikroORM's entity manager that handlers use. */
class EntityManager {
  readonly #store: Store;
  readonly #created: (readonly [Table, Row])[] = [];
  readonly #found = new Map<Row, { readonly table: Table; before: Row }>();

  constructor(store: Store) {
    this.#store = store;
  }

  create(named: unknown, sent: Row): Row {
    const table = tableOf(named);
    const row = newRow(table, sent);
    this.#created.push([table, row]);
    return row;
  }

  map(named: unknown, columns: Row): Row {
    const table = tableOf(named);
    const names = Object.keys(table.properties);
    const row = Object.fromEntries(
      names.flatMap((name) => {
        const column = naming.propertyToColumnName(name);
        return column in columns ? [[name, columns[column]]] : [];
      }),
    );
    const stored = this.#store.rows(table.tableName).find(({ id }) => id === row['id']) ?? row;
    return this.#managed(table, stored);
  }

  assign(row: Row, changes: Row): Row {
    return Object.assign(row, changes);
  }

  find(named: unknown, where: Row, { orderBy = {} }: { readonly orderBy?: Row } = {}): Promise<Row[]> {
    const table = tableOf(named);
    const [[by] = []] = Object.entries(orderBy);
    const rows = this.#store.rows(table.tableName).filter((row) => meets(row, where));
    const sorted = by === undefined ? rows : rows.toSorted((a, b) => compare(a[by], b[by]));
    return Promise.resolve(sorted.map((row) => this.#managed(table, row)));
  }

  async findOne(named: unknown, where: Row): Promise<Row | null> {
    return (await this.find(named, where))[0] ?? null;
  }

  async findOneOrFail(named: unknown, where: Row): Promise<Row> {
    return (await this.find(named, where))[0]!;
  }

  flush(): Promise<void> {
    try {
      for (const [table, row] of this.#created.splice(0)) {
        this.#store.put(table, { ...row });
        this.#found.set(row, { table, before: { ...row } });
      }
      for (const [row, found] of this.#found) this.#save(row, found);
    } catch (error) {
      return Promise.reject(error);
    }
    return Promise.resolve();
  }

  #managed(table: Table, stored: Row): Row {
    const row = { ...stored };
    this.#found.set(row, { table, before: stored });
    return row;
  }

  #save(row: Row, found: { readonly table: Table; before: Row }): void {
    if (Object.entries(row).every(([name, value]) => isSame(value, found.before[name]))) return;
    for (const [name, { made }] of Object.entries(found.table.properties))
      if (made.onUpdate) row[name] = made.onUpdate();
    this.#store.put(found.table, { ...row });
    found.before = { ...row };
  }
}

function meets(row: Row, where: Row): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const among = (wanted as { readonly $in?: readonly unknown[] } | null)?.$in;
    return among === undefined ? row[name] === wanted : among.includes(row[name]);
  });
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const text = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
  return text(a) === text(b);
}

/** Units of work of all doubles run one after the other, because ids and timestamps have one clock. */
let last: Promise<unknown> = Promise.resolve();

/** The database of a double. @param clock its time */
export function memoryDatabase(store: Store, clock: () => Date): Database {
  function run<T>(work: (uow: UnitOfWork) => Promise<T>, keeps: boolean): Promise<T> {
    const result = last.then(() => {
      setTimestampClock(clock);
      return transaction(store, work, keeps);
    });
    last = result.catch(() => {});
    return result;
  }
  const unitOfWork = <T>(_: string, work: (uow: UnitOfWork) => Promise<T>) => run(work, true);
  return {
    unitOfWork,
    read: unitOfWork,
    rehearse: (_: string, work: never) => run(work, false),
    unitsOfWork: <T>(ids: readonly string[], work: (uow: UnitOfWork, index: number) => Promise<T>) =>
      run((uow) => Promise.all(ids.map((_, index) => work(uow, index))), true),
  } as unknown as Database;
}

async function transaction<T>(store: Store, work: (uow: UnitOfWork) => Promise<T>, keeps: boolean): Promise<T> {
  const restore = store.mark();
  const em = new EntityManager(store);
  // Shared, because then no savepoints are set.
  const uow = { clientId: CLIENT_ID, isShared: true, em, query: notInDouble } as unknown as UnitOfWork;
  stores.set(uow, store);
  try {
    const result = await work(uow);
    await em.flush();
    if (!keeps) restore();
    return result;
  } catch (error) {
    restore();
    throw error;
  }
}

/** A statement without a form in memory. */
function notInDouble(sql: string): Promise<never> {
  if (globalThis.process?.env['LAUREL_DOUBLE_SQL']) console.error(new Error(sql).stack);
  return Promise.reject(
    new DomainError('NOT_IMPLEMENTED', 'The test double cannot do a part of this call. Make the call with a service.'),
  );
}
