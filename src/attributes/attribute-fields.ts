import type { AttributeDefinition, AttributeType } from './attribute-definition.ts';

/** A declared attribute as a field by which lists are filtered and ordered. */
export type AttributeField = {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'timestamp';
  /** SQL of its value; NULL if it is missing. */
  readonly column: string;
};

/** The kind of a field, the JSON type of its values, and the SQL type, by type. Lists of texts are no fields. */
const kinds: Readonly<Record<AttributeType, { kind: AttributeField['kind']; json: string; sql: string } | undefined>> =
  {
    STRING: { kind: 'text', json: 'string', sql: 'text' },
    NUMBER: { kind: 'number', json: 'number', sql: 'numeric' },
    BOOLEAN: { kind: 'boolean', json: 'boolean', sql: 'boolean' },
    TIMESTAMP: { kind: 'timestamp', json: 'string', sql: 'timestamptz' },
    STRING_LIST: undefined,
  };

/**
 * The fields of lists for declared attributes, named `attributes.<name>`.
 * @param column the `jsonb` column with their values
 */
export function attributeFields(declared: readonly AttributeDefinition[], column: string): AttributeField[] {
  return declared.flatMap(({ name, type }) => {
    const form = kinds[type];
    if (form === undefined) return [];
    const { kind, json, sql } = form;
    // A value of an earlier type is missing.
    const value = `(case when jsonb_typeof(${column} -> '${name}') = '${json}' then (${column} ->> '${name}')::${sql} end)`;
    return [{ name: `attributes.${name}`, kind, column: value }];
  });
}
