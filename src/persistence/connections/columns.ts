import { type EntityCtor, p, type PolicyDef, Type } from '@mikro-orm/core';
import { type Amount, amountFromDecimal, amountToDecimal } from '../../kernel/amount.ts';
import { timestampClock } from '../../kernel/time/clock.ts';

/** The columns of every table, so that columns with the same meaning have the same type. */
export const columns = {
  /** The client that owns the row; the first column of every primary key and index. */
  clientId: () => p.uuid().primary(),
  /** The row's UUIDv7, unique within its client. */
  id: () => p.uuid().primary(),
  /** The id of a row of another table. No relation, so that a module never loads another module's rows by accident. */
  reference: () => p.uuid(),
  /**
   * Beside a `reference` to a row of the same module: the order in which MikroORM writes the two tables, and the other way
   * round when it removes. The id remains what code reads and writes. It must be declared after the reference, whose column
   * it shares; the foreign key is in the migrations. See docs/decisions/0045.
   */
  parent: <Parent extends EntityCtor<object>>(parent: Parent, column: string) =>
    p
      .manyToOne(parent)
      .joinColumns('client_id', column)
      .ownColumns(column)
      .nullable()
      .createForeignKeyConstraint(false),
  /** Ids of rows of another table, in the order given. */
  references: () => p.type(UuidArrayType).default([]),
  /** Text without a length: the API's validation bounds it, and raising a bound needs no migration. */
  text: () => p.text(),
  /** Text that PostgreSQL compares byte by byte, whatever the locale of the database. */
  byteExactText: () => p.text().collation('C'),
  /** One of a list of words, enforced by a CHECK constraint. */
  oneOf: <const Words extends readonly string[]>(words: Words) => p.enum(words),
  /** A whole number beyond 32 bits, within what JavaScript counts exactly. The driver reads it as text. */
  count: () => p.bigint('number').$type<number, string>(),
  /** A whole number of 64 bits, as `bigint`. Unlike those of `numeric`, its comparisons use indexes under row-level security. */
  wide: () => p.bigint('bigint').$type<bigint, string>(),
  /** Whole numbers of 64 bits, some of them null. Only hand-written SQL reads and writes them. */
  wides: () => p.type(WideArrayType),
  /** A fixed-point quantity, `numeric(20,4)`. */
  amount: () => p.type(AmountType),
  /** A moment, to the millisecond that JavaScript can hold, so that what is written is what is read. */
  moment: () => p.datetime(3),
  /** The default serves hand-written INSERTs; MikroORM sends its own. */
  createdAt: () => p.datetime(3).defaultRaw('now()').onCreate(timestampClock),
  /** Stamped by MikroORM at every flush that changes the row, whatever the code assigns. */
  updatedAt: () => p.datetime(3).defaultRaw('now()').onCreate(timestampClock).onUpdate(timestampClock),
  /** `updatedAt` where the code assigns it: the time of the call, also of rows that hand-written SQL changes. */
  changedAt: () => p.datetime(3).defaultRaw('now()').onCreate(timestampClock),
} as const;

/** The two roles that units of work run under; neither can log in. */
export const APP_ROLE = 'laurel_app';
export const SYSTEM_ROLE = 'laurel_system';

/** The client of the present unit of work, or NULL outside of one: then no comparison is true and no row is seen. */
const PRESENT_CLIENT = `nullif(current_setting('laurel.client_id', true), '')::uuid`;

/**
 * Row-level security for a table whose rows belong to clients; every entity spreads this into its definition.
 * `FORCE` binds the owner of the table too.
 */
export const ownedByClient = rowLevelSecurity('client_id');

/** The same for a table whose column `column` is the id of the client. */
export function rowLevelSecurity(column: 'client_id' | 'id') {
  const own = `${column} = ${PRESENT_CLIENT}`;
  const policies: PolicyDef[] = [
    { name: 'own_client', roles: [APP_ROLE], using: own, check: own },
    { name: 'every_client', roles: [SYSTEM_ROLE], using: 'true', check: 'true' },
  ];
  return { rowLevelSecurity: 'force', policies } as const;
}

/** `numeric(20,4)` as the kernel's {@link Amount}. */
export class AmountType extends Type<Amount, string> {
  override convertToDatabaseValue(value: Amount): string {
    return typeof value === 'bigint' ? amountToDecimal(value) : value;
  }

  override convertToJSValue(value: string): Amount {
    return typeof value === 'string' ? amountFromDecimal(value) : value;
  }

  override getColumnType(): string {
    return 'numeric(20,4)';
  }

  override compareAsType(): string {
    return 'string';
  }

  /** MikroORM would compare the property as a number otherwise. */
  override get runtimeType(): string {
    return 'bigint';
  }
}

/** `bigint[]` as PostgreSQL's text. */
class WideArrayType extends Type<string, string> {
  override getColumnType(): string {
    return 'bigint[]';
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** `uuid[]` as an array of strings. */
export class UuidArrayType extends Type<string[], string> {
  override convertToDatabaseValue(value: readonly string[]): string {
    return Array.isArray(value) ? `{${value.join(',')}}` : (value as unknown as string);
  }

  override convertToJSValue(value: string | string[]): string[] {
    if (Array.isArray(value)) return value;
    return value === '{}' ? [] : value.slice(1, -1).split(',');
  }

  override getColumnType(): string {
    return 'uuid[]';
  }

  override compareAsType(): string {
    return 'string';
  }
}
