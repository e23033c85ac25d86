import { type Opt, UnderscoreNamingStrategy } from '@mikro-orm/core';

declare const ROW: unique symbol;

/** Columns of a table as a list for a statement, `id, external_id`, with the type of its rows. */
export type Columns<Row> = string & { readonly [ROW]?: Row };

/** The type of a row for a list of {@link columnsOf} or {@link propertiesOf}. */
export type RowOf<List> = List extends Columns<infer Row> ? Row : never;

/** The common fields of an entity and a row of {@link propertiesOf}: messages are built from either. */
export type PartOf<Entity, List> = Pick<Entity, keyof RowOf<List> & keyof Entity>;

/** The result of `defineEntity`. */
export type Table = {
  readonly '~entity': object;
  readonly properties: object;
  readonly meta: { readonly tableName: string; readonly className: string; readonly properties: object };
};

/** A row of a table as MikroORM knows it. */
export type Entity<T extends Table> = T['~entity'];

/** A property of a table's rows. */
export type Name<T extends Table> = keyof Entity<T> & keyof T['properties'] & string;

/**
 * Columns by their own names, for hand-written SQL: only the entity describes a table.
 * @param names properties of the entity
 * @param alias the alias of the table, if the statement uses it for columns: `a.id, a.external_id`
 */
export function columnsOf<T extends Table, const Names extends readonly Name<T>[]>(
  table: T,
  names: Names,
  alias?: string,
): Columns<{ [Key in Names[number] as SnakeCase<Key>]: Value<Entity<T>[Key]> }> {
  return names.map((name) => qualified(columnOf(table, name), alias)).join(', ');
}

/**
 * Columns under the names of the properties, `id, external_id as "externalId"`: rows that need no mapping.
 * @param names properties of the entity
 * @param alias the alias of the table, if the statement uses it for columns
 */
export function propertiesOf<T extends Table, const Names extends readonly Name<T>[]>(
  table: T,
  names: Names,
  alias?: string,
): Columns<{ [Key in Names[number]]: Value<Entity<T>[Key]> }> {
  return names
    .map((name) => {
      const column = columnOf(table, name);
      return `${qualified(column, alias)}${column === name ? '' : ` as "${name}"`}`;
    })
    .join(', ');
}

const naming = new UnderscoreNamingStrategy();

/**
 * The column of a property, by MikroORM's naming, which our entities do not override.
 * @throws Error for an unknown property of the entity
 */
export function columnOf({ properties }: Table, name: string): string {
  if (!Object.hasOwn(properties, name)) throw new Error(`No property of the entity is called ${name}.`);
  return naming.propertyToColumnName(name);
}

function qualified(column: string, alias: string | undefined): string {
  return alias === undefined ? column : `${alias}.${column}`;
}

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The type of a property in the rows of the driver. */
type Value<Property> = Absence<Property> | Stored<NonNullable<Property>>;

type Absence<Property> = null extends Property ? null : never;

/** Amounts are `numeric`, which arrives as text. */
type Stored<Property> = Property extends bigint
  ? string
  : Property extends Date
    ? Date
    : Property extends Uint8Array
      ? Buffer
      : Property extends string | number | boolean
        ? Plain<Property>
        : Property;

/** The type of a property without MikroORM's marks, one of which has the type in rows. */
export type Plain<Property> = '__raw' extends keyof Property
  ? NonNullable<Property[keyof Property & '__raw']>
  : Property extends (infer Value) & Opt.Brand
    ? Value
    : Property;
