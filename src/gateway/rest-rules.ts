import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { expectationOf, isMoment, isValueMessage, sendableNames, valueTypeOf } from './wire-form.ts';

/**
 * The message about JSON that protobuf accepts but REST refuses; undefined for other JSON. Protobuf accepts enum numbers, the unspecified
 * enum value, dates that do not exist, and an empty text as absent. Over REST each would be an unnoticed mistake. Other protocols keep
 * protobuf's rules: docs/decisions/0084.
 */
export type RestRule = (json: JsonValue) => RestFault | undefined;

/** The path of a fault below the checked value, and the message: `[0].type`, `is empty.` */
export type RestFault = { readonly at: string; readonly words: string };

/** The message with its path in front, if it has one. */
export function restFaultText({ at, words }: RestFault): string {
  return `${at.replace(/^\./, '')} ${words}`.trimStart();
}

/** The rule for a field, repeated or not; undefined without one. */
export function restRuleOf(field: DescField): RestRule | undefined {
  if (!hasRule(field, new Set())) return undefined;
  const rule = valueRuleOf(field);
  if (field.fieldKind === 'list') return (json) => firstOfList(json as JsonValue[], rule);
  if (field.fieldKind !== 'map') return rule;
  return (json) => firstOfMap(json as JsonObject, rule);
}

/** The rule for a message: the rules of its fields. */
export function messageRuleOf(type: DescMessage): RestRule | undefined {
  if (!type.fields.some((field) => hasRule(field, new Set([type])))) return undefined;
  const known = rules.get(type);
  if (known !== undefined) return known;
  const ofFields = new Map<string, RestRule>();
  const rule: RestRule = (json) => {
    for (const key of Object.keys(json as JsonObject)) {
      const value = (json as JsonObject)[key];
      const ofField = value === null ? undefined : ofFields.get(key);
      const fault = ofField?.(value!);
      if (fault !== undefined) return below(`.${key}`, fault);
    }
    return undefined;
  };
  // The rule is stored before those of its fields, because a message may contain its own type.
  rules.set(type, rule);
  for (const field of type.fields) {
    const ofField = restRuleOf(field);
    if (ofField !== undefined) ofFields.set(field.name, ofField).set(field.jsonName, ofField);
  }
  return rule;
}

const rules = new Map<DescMessage, RestRule>();

/** Whether a field, or one below it, has a rule. */
function hasRule(field: DescField, above: Set<DescMessage>): boolean {
  if (field.enum !== undefined || isOperationId(field)) return true;
  const { message } = field;
  if (message === undefined || above.has(message)) return false;
  if (isValueMessage(message)) return message.typeName === TIMESTAMP;
  above.add(message);
  return message.fields.some((each) => hasRule(each, above));
}

const TIMESTAMP = 'google.protobuf.Timestamp';

function isOperationId(field: DescField): boolean {
  return field.name === 'operation_id' && field.scalar === ScalarType.STRING;
}

/** The rule for one value of a field with a rule. */
function valueRuleOf(field: DescField): RestRule {
  const type = valueTypeOf(field);
  if (type.kind === 'scalar') return emptyOperationId;
  if (type.kind === 'message' && type.message.typeName !== TIMESTAMP) return messageRuleOf(type.message)!;
  const names = type.kind === 'enum' ? new Set<JsonValue>(sendableNames(type.enum)) : undefined;
  const isSendable = (json: JsonValue) => (names === undefined ? isMoment(json as string) : names.has(json));
  return (json) =>
    isSendable(json) ? undefined : { at: '', words: `must be ${expectationOf(type)}, not ${JSON.stringify(json)}.` };
}

/** Refuses an empty operation id: treated as absent, it would protect no call, and a repeat would take effect again. */
function emptyOperationId(json: JsonValue): RestFault | undefined {
  return json === '' ? { at: '', words: 'is empty. Send 1-128 characters, or leave it out.' } : undefined;
}

function firstOfList(elements: readonly JsonValue[], rule: RestRule): RestFault | undefined {
  for (let index = 0; index < elements.length; index += 1) {
    const fault = elements[index] === null ? undefined : rule(elements[index]!);
    if (fault !== undefined) return below(`[${index}]`, fault);
  }
  return undefined;
}

function firstOfMap(entries: JsonObject, rule: RestRule): RestFault | undefined {
  for (const [key, json] of Object.entries(entries)) {
    const fault = json === null ? undefined : rule(json);
    if (fault !== undefined) return below(`.${key}`, fault);
  }
  return undefined;
}

/** Paths are built for faults only: building one for every value took 1 % of an event. */
function below(path: string, { at, words }: RestFault): RestFault {
  return { at: path + at, words };
}
