import { parseId } from '../../kernel/ids.ts';
import { checkedText } from '../../kernel/text.ts';
import { escapeLike } from './filter-sql.ts';

/** The columns of the search of a list: constant SQL, never input. */
export type SearchedColumns = {
  /** UUID columns, for an exact match. */
  readonly ids?: readonly string[];
  /** Columns with text ids, for an exact match. */
  readonly words?: readonly string[];
  /** Text columns, for a match of the beginning, byte by byte. */
  readonly beginnings?: readonly string[];
  /** Text columns, for a match of any part, regardless of case and accents. */
  readonly parts?: readonly string[];
};

/** The condition of a search, as SQL with the values of its parameters. */
export type Search = {
  readonly where: string;
  /** The condition of the exact matches of ids, which come first; undefined if all rows or none can be such matches. */
  readonly first: string | undefined;
  readonly values: readonly unknown[];
};

/**
 * The condition that finds a text in these columns. Spaces around it are trimmed; undefined for an empty text. Parameters are numbered from
 * `firstParameter`.
 * @throws DomainError `BAD_REQUEST` for text that PostgreSQL cannot store
 */
export function searchSql(
  sent: string,
  { ids = [], words = [], beginnings = [], parts = [] }: SearchedColumns,
  firstParameter: number,
): Search | undefined {
  const text = checkedText(sent, 'search').trim();
  if (text === '') return undefined;
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${firstParameter + values.push(value) - 1}`;
  const each = (
    columns: readonly string[],
    value: () => unknown,
    test: (column: string, placeholder: string) => string,
  ) => {
    if (columns.length === 0) return [];
    const placeholder = parameter(value());
    return columns.map((column) => test(column, placeholder));
  };
  const id = parseId(text);
  const whole = [
    ...(id === undefined
      ? []
      : each(
          ids,
          () => id,
          (column, placeholder) => `${column} = ${placeholder}::uuid`,
        )),
    ...each(
      words,
      () => text,
      (column, placeholder) => `${column} = ${placeholder}::text`,
    ),
  ];
  const rest = [
    ...each(
      beginnings,
      () => `${escapeLike(text)}%`,
      (column, placeholder) => `${column} like ${placeholder}::text`,
    ),
    ...each(
      parts,
      () => `%${escapeLike(text)}%`,
      (column, placeholder) => `folded(${column}) like folded(${placeholder}::text)`,
    ),
  ];
  const either = [...whole, ...rest];
  return {
    where: either.length === 0 ? 'false' : `(${either.join(' or ')})`,
    first: whole.length > 0 && rest.length > 0 ? `(${whole.join(' or ')})` : undefined,
    values,
  };
}
