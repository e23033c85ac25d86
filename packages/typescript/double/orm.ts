// Stands in for MikroORM in the bundle of the double: declarations of tables keep their keys, defaults and uniques, and nothing else.

/** What the double knows of a property of a table. */
export type Property = {
  isPrimary: boolean;
  /** Stored as JSON: a copy without undefined values. */
  isJson: boolean;
  /** A relation beside its id, which has no column. */
  isRelation: boolean;
  default: unknown;
  onCreate: (() => unknown) | undefined;
  onUpdate: (() => unknown) | undefined;
};

/** A table as its module declares it. */
export type Table = {
  readonly tableName: string;
  readonly uniques: ReadonlyArray<{ readonly name: string; readonly properties: readonly string[]; where?: string }>;
  readonly properties: Readonly<Record<string, { readonly made: Property }>>;
};

type Chain = { readonly made: Property } & Record<string, (...values: never[]) => unknown>;

function property(kind: string): Chain {
  const made: Property = {
    isPrimary: false,
    isJson: kind === 'json',
    isRelation: kind === 'manyToOne',
    default: undefined,
    onCreate: undefined,
    onUpdate: undefined,
  };
  const steps: Record<string, (value: never) => void> = {
    primary: () => (made.isPrimary = true),
    default: (value) => (made.default = value),
    onCreate: (value) => (made.onCreate = value),
    onUpdate: (value) => (made.onUpdate = value),
  };
  const chain: Chain = new Proxy({ made } as Chain, {
    get: (target, name) =>
      name === 'made'
        ? target.made
        : (value: never) => {
            steps[String(name)]?.(value);
            return chain;
          },
  });
  return chain;
}

/** Makes the property of a table, as `p` of MikroORM does. */
export const p = new Proxy<Record<string, () => Chain>>({}, { get: (_, kind) => () => property(String(kind)) });

const tables = new Map<unknown, Table>();

/** Declares a table. */
export function defineEntity(
  declared: Partial<Table> & Pick<Table, 'properties' | 'tableName'> & { readonly name: string },
) {
  const { uniques = [], properties, tableName } = declared;
  const table = {
    tableName,
    uniques,
    properties,
    meta: { tableName, className: declared.name, properties },
    // oxlint-disable-next-line typescript/no-extraneous-class -- tables name their rows by a class of their own.
    class: class {},
    setClass(made: unknown): void {
      tables.set(made, table);
    },
  };
  tables.set(table, table);
  return table;
}

/** The declaration of a table, by itself or by the class of its rows. */
export function tableOf(named: unknown): Table {
  const table = tables.get(named);
  if (table === undefined) throw new Error('The double does not know this table.');
  return table;
}

/** The names of columns. */
export class UnderscoreNamingStrategy {
  propertyToColumnName(name: string): string {
    return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** A row breaks a unique index. The fields are those of PostgreSQL's error. */
export class UniqueConstraintViolationException extends Error {
  readonly code = '23505';
  readonly constraint: string;

  constructor(constraint: string) {
    super(`A row breaks ${constraint}.`);
    this.constraint = constraint;
  }
}

export const LockMode = { PESSIMISTIC_WRITE: 'PESSIMISTIC_WRITE' };

/** MikroORM's classes of columns, which declarations name or extend. */
const ColumnType = Object.freeze(function ColumnType() {}) as unknown as new () => object;
export {
  ColumnType as Type,
  ColumnType as BigIntType,
  ColumnType as BlobType,
  ColumnType as BooleanType,
  ColumnType as DateTimeType,
  ColumnType as IntegerType,
  ColumnType as JsonType,
  ColumnType as TextType,
  ColumnType as UuidType,
};
