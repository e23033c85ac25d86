import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** A single value, or an empty list or object. */
export type Leaf = string | number | boolean | null | readonly never[];

/** One field that differs, or that was created or removed. */
export type Difference = {
  /** The way to it: `['missions', '1', 'target']`, lists counted from 1. */
  readonly path: readonly string[];
  /** The earlier value; undefined without one. */
  readonly before: Leaf | undefined;
  /** The later value; undefined without one. */
  readonly after: Leaf | undefined;
};

/** Fields that change with every write, and have no meaning for a reader. */
const BOOKKEEPING = new Set(['version', 'updatedAt']);

/** The differences between two states of one thing, field by field, in the order of the fields. */
export function differencesOf(before: JsonObject | undefined, after: JsonObject | undefined): readonly Difference[] {
  const former = new Map(before === undefined ? [] : leavesOf(before, []));
  const latter = new Map(after === undefined ? [] : leavesOf(after, []));
  const keys = [...new Set([...latter.keys(), ...former.keys()])];
  return keys
    .map((key) => ({ path: key.split('\n'), before: former.get(key), after: latter.get(key) }))
    .filter((it) => !BOOKKEEPING.has(it.path[0] ?? '') && JSON.stringify(it.before) !== JSON.stringify(it.after));
}

/** Every single value below `value`, by its path joined with line breaks, which no name of a field holds. */
function leavesOf(value: JsonValue, path: readonly string[]): readonly (readonly [string, Leaf])[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leavesOf(item, [...path, String(index + 1)]));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  }
  return [[path.join('\n'), value as Leaf]];
}
