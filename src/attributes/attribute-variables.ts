import type { Variable } from '../expressions/expression-type.ts';
import type { AttributeDefinition, AttributeType } from './attribute-definition.ts';
import { type AttributeValues, ENTRIES_MAX } from './attribute-values.ts';

/**
 * The names of declared attributes in expressions.
 * @param prefix what has the attributes: `event` or `account`
 * @param valuesOf the values in the context of an evaluation
 * @param column the SQL of their JSON; absent where expressions are not evaluated in SQL
 */
export function attributeVariables<Context>(
  prefix: string,
  declared: readonly AttributeDefinition[],
  valuesOf: (context: Context) => AttributeValues,
  column?: string,
): Array<[name: string, variable: Variable<Context>]> {
  return declared.map(({ name, type }) => [
    `${prefix}.${name}`,
    {
      type,
      read: (context) => valuesOf(context).get(name),
      sql: column && attributeSql(column, name, type),
      entriesMax: ENTRIES_MAX,
    },
  ]);
}

/** How JSON becomes a value of an expression, by type. Values of another type, which an earlier declaration had, are missing. */
const casts: Readonly<Record<AttributeType, { readonly json: string; sql(column: string, key: string): string }>> = {
  STRING: { json: 'string', sql: (column, key) => `${column} ->> ${key}` },
  NUMBER: { json: 'number', sql: (column, key) => `(${column} ->> ${key})::numeric` },
  BOOLEAN: { json: 'boolean', sql: (column, key) => `(${column} ->> ${key})::boolean` },
  TIMESTAMP: {
    json: 'string',
    sql: (column, key) => `floor(extract(epoch from (${column} ->> ${key})::timestamptz) * 1000)`,
  },
  STRING_LIST: {
    json: 'array',
    sql: (column, key) => `array(select jsonb_array_elements_text(${column} -> ${key}))`,
  },
};

/**
 * An attribute of a `jsonb` column as a value of expressions in SQL, NULL if it is missing.
 * @param name of a declared attribute: letters, digits and `_`
 */
export function attributeSql(column: string, name: string, type: AttributeType): string {
  const { json, sql } = casts[type];
  const key = `'${name}'`;
  return `(case when jsonb_typeof(${column} -> ${key}) = '${json}' then ${sql(column, key)} end)`;
}
