import { create, type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import {
  field as fieldRules,
  type FieldRules,
  type StringRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { JsonSchema } from './openapi-types.ts';

/** Whether a caller must send the field: an empty message breaks one of its rules, such as `required` or `min_len: 1`. */
export function isRequired(field: DescField): boolean {
  return requiredIn(field.parent).has(field.name);
}

const validator = createValidator();
const requiredByMessage = new Map<DescMessage, ReadonlySet<string>>();

function requiredIn(message: DescMessage): ReadonlySet<string> {
  const known = requiredByMessage.get(message);
  if (known !== undefined) return known;
  const { violations } = validator.validate(message, create(message));
  const paths = (violations ?? []).map(({ field }) => field);
  const names = paths.flatMap(([first]) => (first?.kind === 'field' ? [first.name] : []));
  const required = new Set(names);
  requiredByMessage.set(message, required);
  return required;
}

/** The protovalidate rules of a field as keywords of its schema. JSON Schema cannot express all rules; the comments describe the others. */
export function constraintsOf(field: DescField): JsonSchema {
  return hasOption(field, fieldRules) ? keywordsOf(getOption(field, fieldRules)) : {};
}

/** The rules for each element of a repeated field. */
export function elementConstraintsOf(field: DescField): JsonSchema {
  if (!hasOption(field, fieldRules)) return {};
  const { type } = getOption(field, fieldRules);
  return type.case === 'repeated' && type.value.items !== undefined ? keywordsOf(type.value.items) : {};
}

function keywordsOf({ type }: FieldRules): JsonSchema {
  switch (type.case) {
    case 'string':
      return stringKeywords(type.value);
    case 'int32':
    case 'uint32':
    case 'sint32':
    case 'fixed32':
    case 'sfixed32':
    case 'double':
    case 'float':
      return numberKeywords(type.value);
    case 'repeated': {
      const { minItems, maxItems, unique } = type.value;
      return present({ minItems: count(minItems), maxItems: count(maxItems), uniqueItems: unique || undefined });
    }
    case 'map':
      return present({ minProperties: count(type.value.minPairs), maxProperties: count(type.value.maxPairs) });
    default:
      return {};
  }
}

function stringKeywords(rules: StringRules): JsonSchema {
  const exact = count(rules.len);
  return present({
    const: rules.const === '' ? undefined : rules.const,
    minLength: exact ?? count(rules.minLen),
    maxLength: exact ?? count(rules.maxLen),
    pattern: rules.pattern === '' ? undefined : rules.pattern,
    enum: rules.in.length === 0 ? undefined : [...rules.in],
    format: formatOf(rules.wellKnown),
  });
}

/** The JSON Schema format of a well-known rule. */
function formatOf(wellKnown: StringRules['wellKnown']): string | undefined {
  const sameNames = ['email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'] as const;
  if (wellKnown.case === undefined || wellKnown.value !== true) return undefined;
  return sameNames.find((name) => name === wellKnown.case);
}

type NumberRules = {
  readonly lessThan: { readonly case: 'lt' | 'lte'; readonly value: number } | { readonly case: undefined };
  readonly greaterThan: { readonly case: 'gt' | 'gte'; readonly value: number } | { readonly case: undefined };
  readonly in: readonly number[];
};

function numberKeywords({ lessThan, greaterThan, in: allowed }: NumberRules): JsonSchema {
  return present({
    minimum: greaterThan.case === 'gte' ? greaterThan.value : undefined,
    exclusiveMinimum: greaterThan.case === 'gt' ? greaterThan.value : undefined,
    maximum: lessThan.case === 'lte' ? lessThan.value : undefined,
    exclusiveMaximum: lessThan.case === 'lt' ? lessThan.value : undefined,
    enum: allowed.length === 0 ? undefined : [...allowed],
  });
}

/** Protobuf returns zero for an absent limit. */
function count(limit: bigint): number | undefined {
  return limit === 0n ? undefined : Number(limit);
}

function present(keywords: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}
