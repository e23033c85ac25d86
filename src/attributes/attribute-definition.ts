import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AttributeDefinition as AttributeMessage,
  AttributeDefinition_Type,
  AttributeDefinition_TypeSchema,
  type AttributeDefinitionSchema,
} from '../../gen/laurel/v1/attribute_pb.ts';
import { amountFromNumber } from '../kernel/amount.ts';
import { enumName, type EnumName } from '../kernel/enum-names.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** The type of an attribute, which is also its type in expressions. */
export type AttributeType = EnumName<typeof AttributeDefinition_TypeSchema>;

/** A declared attribute, in the form of the columns `attributes` of event definitions and `account_attributes` of clients. */
export type AttributeDefinition = {
  readonly name: string;
  readonly type: AttributeType;
  readonly required?: true;
  /** For STRING and STRING_LIST; absent if any text is allowed. */
  readonly allowedValues?: readonly string[];
  /** For NUMBER. */
  readonly min?: number;
  readonly max?: number;
  readonly personal?: true;
  readonly description?: string;
};

/** Names that `event` or `account` have themselves, and words that CEL reserves. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['amount', 'createdAt', 'audiences'],
  ...['as', 'break', 'const', 'continue', 'else', 'false', 'for', 'function', 'if', 'import', 'in', 'let', 'loop'],
  ...['package', 'namespace', 'null', 'return', 'true', 'var', 'void', 'while'],
  // Keys of JSON objects that JavaScript would read as something else.
  ...['constructor', 'prototype', 'toString', 'valueOf'],
]);

/**
 * The stored form of declared attributes, in their order.
 * @param field the list's name in messages
 * @throws DomainError `BAD_REQUEST` for a name that is taken or repeated, and for bounds that do not fit the type
 */
export function storedAttributes(sent: readonly AttributeMessage[], field: string): AttributeDefinition[] {
  const names = new Set<string>();
  return sent.map((attribute, index) => {
    const at = `${field}[${index}]`;
    const { name } = attribute;
    if (TAKEN.has(name)) throw badRequest(sentence`${`${at}.name`} '${name}' is reserved: choose another name.`);
    if (names.has(name)) throw badRequest(sentence`${`${at}.name`} '${name}' is there twice: each name stands once.`);
    names.add(name);
    return storedAttribute(attribute, at);
  });
}

function storedAttribute(sent: AttributeMessage, at: string): AttributeDefinition {
  const type = enumName(AttributeDefinition_TypeSchema, sent.type)!;
  if (sent.allowedValues.length > 0 && type !== 'STRING' && type !== 'STRING_LIST') {
    throw badRequest(sentence`${`${at}.allowedValues`} is for STRING and STRING_LIST: leave it out.`);
  }
  if ((sent.min !== undefined || sent.max !== undefined) && type !== 'NUMBER') {
    throw badRequest(sentence`${`${at}.min`} and ${`${at}.max`} are for NUMBER: leave them out.`);
  }
  if (sent.min !== undefined) amountFromNumber(sent.min, `${at}.min`);
  if (sent.max !== undefined) amountFromNumber(sent.max, `${at}.max`);
  if (sent.min !== undefined && sent.max !== undefined && sent.min > sent.max) {
    throw badRequest(sentence`${`${at}.min`} must not be above ${`${at}.max`}.`);
  }
  return {
    name: sent.name,
    type,
    ...(sent.required && { required: true }),
    ...(sent.allowedValues.length > 0 && { allowedValues: sent.allowedValues }),
    ...(sent.min !== undefined && { min: sent.min }),
    ...(sent.max !== undefined && { max: sent.max }),
    ...(sent.personal && { personal: true }),
    ...(sent.description !== '' && { description: sent.description }),
  };
}

/** The API message of a declared attribute. */
export function toAttributeMessage(attribute: AttributeDefinition): MessageInitShape<typeof AttributeDefinitionSchema> {
  const { allowedValues = [], type, ...same } = attribute;
  return { ...same, type: AttributeDefinition_Type[type], allowedValues: [...allowedValues] };
}

/** The attributes of `before` that `after` does not have, or has with another type. */
export function changedAttributes(
  before: readonly AttributeDefinition[],
  after: readonly AttributeDefinition[],
): AttributeDefinition[] {
  const types = new Map(after.map(({ name, type }) => [name, type]));
  return before.filter(({ name, type }) => types.get(name) !== type);
}
