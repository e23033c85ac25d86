import { type Condition, type FilterField, type FilterInput, readConditions } from './filter.ts';
import type { FieldKind } from './filter-values.ts';

/** A filterable field of a table: `column` is SQL, never input. */
export type ColumnField = FilterField & { readonly column: string };

/** A condition in SQL, and the values of its parameters, in order. */
export type SqlCondition = { readonly sql: string; readonly values: readonly unknown[] };

const SQL_TYPES: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  uuid: 'uuid',
  enum: 'text',
  number: 'numeric',
  boolean: 'boolean',
  timestamp: 'timestamptz',
};

/**
 * The filter of a paginated list as one SQL condition; parameters are numbered from `firstParameter`. Undefined without conditions. It does
 * not cover deleted rows.
 * @throws DomainError `InvalidFilter` (400 `BAD_REQUEST`)
 */
export function filterSql(
  filter: FilterInput | undefined,
  fields: Readonly<Record<string, ColumnField>>,
  firstParameter: number,
): SqlCondition | undefined {
  const conditions = readConditions(filter, fields, 'partial');
  if (conditions.length === 0) return undefined;
  const parts = conditions.map((condition, index) =>
    conditionSql(condition, fields[condition.field]!, firstParameter + index),
  );
  return {
    sql: `(${parts.join(filter?.matchAll === false ? ' or ' : ' and ')})`,
    values: conditions.map((condition) =>
      condition.test === 'contains' ? `%${escapeLike(condition.text)}%` : condition.values,
    ),
  };
}

/**
 * `folded` is the expression of the search indexes, with an unquoted column on the left, so that the planner recognises it. It treats é
 * like e; a filter does not.
 */
function conditionSql(condition: Condition, { column, kind }: ColumnField, parameter: number): string {
  if (condition.test === 'contains') {
    const text = `$${parameter}::text`;
    return `(folded(${column}) like folded(${text}) and caseless(${column}) like caseless(${text}))`;
  }
  const equals = `${column} = any($${parameter}::${SQL_TYPES[kind]}[])`;
  return condition.orAbsent ? `(${equals} or ${column} is null)` : equals;
}

/** Escapes the special characters of LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
