import { type Condition, type FilterField, type FilterInput, readConditions } from './filter.ts';
import { instantText } from './filter-values.ts';

/** A filterable field of items in memory, with its reader. */
export type ItemField<Item> = FilterField & { readonly of: (item: Item) => ItemValue };

type ItemValue = string | number | boolean | Date | null | undefined;

/**
 * Whether an item meets the filter of a list without pages: strings always compare exactly, and `includeDeleted` does not apply. The filter
 * is checked at once, even without items.
 * @throws DomainError `InvalidFilter` (400 `BAD_REQUEST`)
 */
export function matchFilter<Item>(
  filter: FilterInput | undefined,
  fields: Readonly<Record<string, ItemField<Item>>>,
): (item: Item) => boolean {
  const tests = readConditions(filter, fields, 'exact').map((condition) => testOf(condition, fields));
  if (tests.length === 0) return () => true;
  return filter?.matchAll === false
    ? (item) => tests.some((holds) => holds(item))
    : (item) => tests.every((holds) => holds(item));
}

function testOf<Item>(
  condition: Condition,
  fields: Readonly<Record<string, ItemField<Item>>>,
): (item: Item) => boolean {
  const { of } = fields[condition.field]!;
  // With exact comparison there is no `contains`.
  const wanted = condition.test === 'anyOf' ? condition : { values: [condition.text], orAbsent: false };
  const values = new Set(wanted.values);
  return (item) => {
    const value = of(item);
    if (value === null || value === undefined) return wanted.orAbsent;
    return values.has(value instanceof Date ? instantText(value) : String(value));
  };
}
