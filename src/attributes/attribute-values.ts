import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { decimalOfAmount } from '../expressions/decimal.ts';
import type { Value } from '../expressions/expression-type.ts';
import { parseInstant } from '../expressions/literals.ts';
import { AMOUNT_MAX, amountFromNumber } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { AttributeDefinition, AttributeType } from './attribute-definition.ts';

/** The most characters of a text, in UTF-16 code units. */
export const TEXT_MAX = 255;

/** The most texts of a list. */
export const ENTRIES_MAX = 32;

/** The most bytes of all attributes of one event or account, as JSON. */
export const BYTES_MAX = 8_192;

/** The values of attributes by name, as expressions see them. A missing one has no entry. */
export type AttributeValues = ReadonlyMap<string, Value>;

/** An event or an account without attributes. */
export const NO_ATTRIBUTES: AttributeValues = new Map();

/** The same value in JSON, and as expressions see it. */
type Parsed = { readonly json: JsonValue; readonly value: Value };

/** For each type: the value of JSON, or undefined, and the words for what is expected. */
const types: Readonly<
  Record<
    AttributeType,
    {
      readonly expected: Sentence;
      parse(json: JsonValue, attribute: AttributeDefinition, field: string): Parsed | undefined;
    }
  >
> = {
  STRING: {
    expected: sentence`a text of at most ${TEXT_MAX} characters`,
    parse: (json) => (isText(json) ? { json, value: json } : undefined),
  },
  NUMBER: {
    expected: sentence`a number`,
    parse(json, _, field) {
      if (typeof json !== 'number') return undefined;
      const amount = amountFromNumber(json, field);
      return { json: Number(amount) / 10_000, value: decimalOfAmount(amount) };
    },
  },
  BOOLEAN: {
    expected: sentence`true or false`,
    parse: (json) => (typeof json === 'boolean' ? { json, value: json } : undefined),
  },
  TIMESTAMP: {
    expected: sentence`a moment such as "2026-11-25T08:00:00Z", to milliseconds`,
    parse(json) {
      const ms = typeof json === 'string' ? parseInstant(json) : undefined;
      return ms === undefined ? undefined : { json: new Date(ms).toISOString(), value: ms };
    },
  },
  STRING_LIST: {
    expected: sentence`a list of at most ${ENTRIES_MAX} texts of at most ${TEXT_MAX} characters`,
    parse(json) {
      if (!Array.isArray(json) || json.length > ENTRIES_MAX || !json.every(isText)) return undefined;
      return { json, value: json };
    },
  },
};

function isText(json: JsonValue): json is string {
  return typeof json === 'string' && json.length <= TEXT_MAX;
}

/** Values of attributes, as JSON in its normal form and as expressions see them. */
export type ParsedAttributes = { readonly json: JsonObject; readonly values: AttributeValues };

/**
 * Reads the attributes of an event or an account. A `null` is an attribute that is absent.
 * @param field the object's name in messages, for example `metadata`
 * @throws DomainError `BAD_REQUEST` for an attribute that is not declared, does not fit its declaration, or is missing though required, and
 * for more than {@link BYTES_MAX}
 */
export function parseAttributes(
  sent: JsonObject,
  declared: readonly AttributeDefinition[],
  field: string,
): ParsedAttributes {
  const size = Buffer.byteLength(JSON.stringify(sent));
  if (size > BYTES_MAX) throw badRequest(sentence`${field} has ${size} bytes, at most ${BYTES_MAX} are allowed.`);
  const byName = new Map(declared.map((attribute) => [attribute.name, attribute]));
  const unknown = Object.keys(sent).find((name) => !byName.has(name));
  if (unknown !== undefined) {
    const names = declared.map(({ name }) => name);
    throw badRequest(
      names.length === 0
        ? sentence`${field} has no attribute '${unknown}': none is declared.`
        : sentence`${field} has no attribute '${unknown}'. Declared are: ${names}.`,
    );
  }
  const values = new Map<string, Value>();
  const json: JsonObject = {};
  for (const attribute of declared) {
    const { name, required } = attribute;
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (given === undefined || given === null) {
      if (required) throw badRequest(sentence`${`${field}.${name}`} is required: ${types[attribute.type].expected}.`);
      continue;
    }
    const parsed = parseAttribute(given, attribute, `${field}.${name}`);
    values.set(name, parsed.value);
    json[name] = parsed.json;
  }
  return { json, values };
}

function parseAttribute(json: JsonValue, attribute: AttributeDefinition, field: string): Parsed {
  const { type, allowedValues, min = -AMOUNT_MAX, max = AMOUNT_MAX } = attribute;
  const parsed = types[type].parse(json, attribute, field);
  if (parsed === undefined) throw badRequest(sentence`${field} must be ${types[type].expected}.`);
  if (allowedValues !== undefined) {
    const texts = (type === 'STRING' ? [parsed.json] : parsed.json) as readonly string[];
    const other = texts.find((text) => !allowedValues.includes(text));
    if (other !== undefined) {
      const given = attribute.personal ? MASKED : other;
      throw badRequest(sentence`${field} '${given}' is not allowed. Send one of ${allowedValues}.`);
    }
  }
  if (type === 'NUMBER' && ((parsed.json as number) < min || (parsed.json as number) > max)) {
    throw badRequest(sentence`${field} must be a number from ${min} to ${max}.`);
  }
  return parsed;
}

/**
 * The values of attributes that were accepted before, by the present declarations. A value that they can
 * no longer read is left out, and nothing is refused.
 */
export function acceptedAttributes(json: JsonObject, declared: readonly AttributeDefinition[]): AttributeValues {
  const values = new Map<string, Value>();
  for (const attribute of declared) {
    const { name, type } = attribute;
    const given = Object.hasOwn(json, name) ? json[name] : undefined;
    if (given === undefined || given === null) continue;
    try {
      const parsed = types[type].parse(given, attribute, name);
      if (parsed !== undefined) values.set(name, parsed.value);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return values;
}

/** Stands in the place of a personal value. */
export const MASKED = '***';

/** Attributes for people who may not see personal values. Nobody knows of one that is no longer declared whether it was personal. */
export function maskedAttributes(json: JsonObject, declared: readonly AttributeDefinition[]): JsonObject {
  const shown = new Set(declared.flatMap(({ name, personal }) => (personal ? [] : [name])));
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shown.has(name) ? value : MASKED]));
}
