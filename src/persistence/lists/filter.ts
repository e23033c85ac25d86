import type { Value } from '@bufbuild/protobuf/wkt';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { type FieldKind, valueReaders } from './filter-values.ts';

/** The `laurel.v1.Filter` of a request; declared here because this folder is in a lower layer than the generated messages. */
export type FilterInput = {
  readonly filters: readonly { readonly field: string; readonly value?: Value | undefined }[];
  readonly matchAll?: boolean | undefined;
  readonly includeDeleted?: boolean | undefined;
};

/** A field that may be filtered by. Enum values have the spelling of the API. */
export type FilterField =
  | { readonly kind: Exclude<FieldKind, 'enum'> }
  | { readonly kind: 'enum'; readonly values: readonly string[] };

/** One parsed condition: the field's value contains a text, is one of several, or is absent. */
export type Condition =
  | { readonly field: string; readonly test: 'contains'; readonly text: string }
  | { readonly field: string; readonly test: 'anyOf'; readonly values: readonly string[]; readonly orAbsent: boolean };

/** The comparison of a string with a text field: paginated lists search inside, the others compare for equality. */
export type TextMatch = 'partial' | 'exact';

/** The maximum of values in one array: enough for any screen, and far below the limits of a statement. */
const VALUES_MAX = 1_000;

/**
 * The conditions of a filter. Values are in the canonical spelling of their kind, so that equal values are equal texts. A value that the
 * field can never have is refused (a malformed UUID or date, an unknown enum word, a number for a text). Otherwise it would match no row,
 * and the caller would not notice the mistake.
 * @throws DomainError {@link InvalidFilter} (400 `BAD_REQUEST`)
 */
export function readConditions(
  filter: FilterInput | undefined,
  fields: Readonly<Record<string, FilterField>>,
  textMatch: TextMatch,
): Condition[] {
  return (filter?.filters ?? []).map(({ field: name, value }) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      throw new InvalidFilter(sentence`The field '${name}' is not filterable here. Allowed: ${Object.keys(fields)}.`);
    }
    return readCondition(name, field, value, textMatch);
  });
}

/** The 400 of a filter. Over REST the gateway answers with the endpoint's code in the contract. */
export class InvalidFilter extends DomainError {
  constructor(message: string | Sentence) {
    super('BAD_REQUEST', message);
  }
}

function readCondition(name: string, field: FilterField, value: Value | undefined, textMatch: TextMatch): Condition {
  const kind = value?.kind;
  if (kind?.case === 'listValue') return anyOf(name, field, kind.value.values);
  if (kind?.case === 'stringValue' && field.kind === 'text' && textMatch === 'partial') {
    return { field: name, test: 'contains', text: readValue(name, field, value!) };
  }
  if (value === undefined)
    throw new InvalidFilter(sentence`The condition on '${name}' has no value. Send one, or null for absence.`);
  return anyOf(name, field, [value]);
}

function anyOf(name: string, field: FilterField, sent: readonly Value[]): Condition {
  if (sent.length > VALUES_MAX) {
    throw new InvalidFilter(
      sentence`The condition on '${name}' has ${sent.length} values. Send at most ${VALUES_MAX}.`,
    );
  }
  const present = sent.filter((value) => value.kind.case !== 'nullValue');
  const values = present.map((value) => readValue(name, field, value));
  return { field: name, test: 'anyOf', values, orAbsent: present.length < sent.length };
}

function readValue(name: string, field: FilterField, value: Value): string {
  const reading = field.kind === 'enum' ? enumWord(field.values, value) : valueReaders[field.kind](value);
  if ('text' in reading) return reading.text;
  throw new InvalidFilter(sentence`A value for '${name}' must be ${reading.expected}.`);
}

function enumWord(words: readonly string[], { kind }: Value) {
  if (kind.case === 'stringValue' && words.includes(kind.value)) return { text: kind.value };
  return { expected: `one of ${words.join(', ')}` };
}
