import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';

/** A column that a list may be ordered by. */
export type OrderableColumn = {
  /** SQL, never input: a column with an index that begins with the client, or of a table that stays small. */
  readonly column: string;
  /** Rows without a value come last, in either direction. */
  readonly nullable?: boolean;
  /** Whether values are unique; otherwise rows with equal values are ordered by `id`. */
  readonly unique?: boolean;
};

/** The order of a list: the default, or the requested one. */
export type ListOrder = {
  readonly columns: readonly string[];
  readonly descending: boolean;
  /** The first column, if it may be null. */
  readonly nullable: string | undefined;
};

const ORDER = /^ *([A-Za-z][\w.]*)(?: +(asc|desc))? *$/i;

/**
 * The order that `orderBy` asks for: the name of a field, with ` desc` after it for descending order.
 * @throws DomainError `BAD_REQUEST` for any other text, with the possible values
 */
export function readOrder(orderBy: string, orderable: Readonly<Record<string, OrderableColumn>>): ListOrder {
  const [, name = '', direction = 'asc'] = ORDER.exec(orderBy) ?? [];
  const field = Object.hasOwn(orderable, name) ? orderable[name] : undefined;
  if (field === undefined) {
    throw badRequest(
      sentence`orderBy names no column that this list can be ordered by. Send one of these, with ' desc' after it for the highest first: ${Object.keys(orderable)}.`,
    );
  }
  return {
    columns: field.unique || field.column === 'id' ? [field.column] : [field.column, 'id'],
    descending: direction.toLowerCase() === 'desc',
    nullable: field.nullable ? field.column : undefined,
  };
}
