import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ValueSchema } from '@bufbuild/protobuf/wkt';
import type { FilterSchema } from '../../../gen/laurel/v1/filter_pb.ts';

/** The value of a condition: a text matches part of a text column, a list matches any of its values exactly. */
export type FilterValue = string | number | boolean | null | readonly string[];

/** The service's filter for conditions by field; those that are empty or undefined are left out. */
export function filterOf(
  conditions: Readonly<Record<string, FilterValue | undefined>>,
): MessageInitShape<typeof FilterSchema> {
  const filters = Object.entries(conditions).flatMap(([field, value]) =>
    value === undefined || value === '' || (isList(value) && value.length === 0)
      ? []
      : [{ field, value: valueOf(value) }],
  );
  return { filters };
}

function valueOf(value: FilterValue): MessageInitShape<typeof ValueSchema> {
  if (isList(value)) return { kind: { case: 'listValue', value: { values: value.map(valueOf) } } };
  if (value === null) return { kind: { case: 'nullValue', value: 0 } };
  if (typeof value === 'string') return { kind: { case: 'stringValue', value } };
  if (typeof value === 'number') return { kind: { case: 'numberValue', value } };
  return { kind: { case: 'boolValue', value } };
}

function isList(value: FilterValue): value is readonly string[] {
  return Array.isArray(value);
}
