import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  isFieldSet,
  type JsonObject,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { noteItemFault } from '../kernel/errors/item-faults.ts';
import { sentence } from '../kernel/sentence.ts';
import { type ItemList, itemListOf } from '../server/rpc/item-list.ts';
import type { Binding } from './binding.ts';
import { cloudEventsIn, triggerOfCloudEvent } from './cloud-events.ts';
import { type Body, bodyText, parseBody } from './json-body.ts';
import { jsonFaultOf } from './json-fault.ts';
import { boundsOf } from './number-bounds.ts';
import { queryReaderOf, writeAt } from './query-parameters.ts';
import { messageRuleOf, type RestFault, restFaultText, type RestRule, restRuleOf } from './rest-rules.ts';
import { assertStorable, holdsUnstorableText } from './storable-text.ts';
import { takenFormOf } from './taken-form.ts';
import { type TextReader, textReaderOf } from './text-value.ts';
import { isValueMessage, valueTypeOf } from './wire-form.ts';

/**
 * Builds the request message of one route from the parts of an HTTP request. It ignores no sent value: a value without a field in the
 * message is refused.
 * @throws DomainError invalid, ProtocolError 415; the message has the field and the expected value
 */
export type RequestReader = (parts: RequestParts) => Message;

export type RequestParts = {
  /** The values of the route's path variables, in their order, percent-decoded. */
  readonly values: readonly string[];
  /** Without the `?`; empty without a query. */
  readonly query: string;
  readonly body: Body;
};

/** The reader of a route. It prepares once everything that does not depend on the request. */
export function requestReaderOf(binding: Binding): RequestReader {
  const readQuery = queryReaderOf(binding);
  const variables = variablesOf(binding);
  const list = itemListOf(binding.rpc);
  const rule = bodyRuleOf(binding);
  const taken = takenFormOf(binding);

  return ({ values, query, body }) => {
    const events = taken && cloudEventsIn(body, taken);
    const fromEvents = events && ('one' in events ? events.one : { [list!.jsonName]: [...events.batch] });
    const text = fromEvents === undefined ? bodyText(body) : JSON.stringify(fromEvents);
    const sent = fromEvents ?? (text === undefined ? undefined : parseBody(text));
    const request = requestFromBody(binding, sent);
    for (const [index, variable] of variables.entries()) {
      assertNotInBody(request, variable);
      writeAt(request, variable.path, readVariable(variable, values[index] ?? ''));
    }
    readQuery(query, request);
    const items = list && takeItems(request, list);
    const message = decode(binding, request);
    const fault = rule?.(request);
    if (fault !== undefined) throw badRequest(restFaultText(fault));
    const isSuspect = text !== undefined && holdsUnstorableText(text);
    // The check follows the decoding, which bounds the depth of the JSON.
    if (isSuspect) assertStorable(items === undefined ? (sent ?? null) : request, '');
    const readAs = events === undefined ? undefined : triggerOfCloudEvent;
    if (items !== undefined) restoreItems(message, list!, items, { isSuspect, readAs });
    if (binding.updateMask !== undefined) completeMask(binding, binding.updateMask, message, sent);
    return message;
  };
}

type Variable = { readonly name: string; readonly path: readonly DescField[]; readonly read: TextReader };

function variablesOf(binding: Binding): Variable[] {
  return binding.pathFields.map((path) => ({
    name: path.map((field) => field.jsonName).join('.'),
    path,
    read: textReaderOf(valueTypeOf(path.at(-1) as DescField), boundsOf(path.at(-1) as DescField)),
  }));
}

function readVariable(variable: Variable, text: string): JsonValue {
  const reading = variable.read(text);
  if (!reading.ok) throw badRequest(sentence`In the path, "${variable.name}" ${reading.problem}.`);
  if (text.includes('\0')) assertStorable(text, variable.name);
  return reading.json;
}

/** The JSON of the request message from the body alone. */
function requestFromBody(binding: Binding, sent: JsonValue | undefined): JsonObject {
  if (binding.body === '') {
    if (sent !== undefined && !isEmptyObject(sent)) throw badRequest('This operation takes no body. Send none.');
    return {};
  }
  if (binding.bodyField === undefined) return objectOf(sent);
  const field = binding.bodyField;
  if (field.fieldKind === 'message' && !isValueMessage(field.message)) return { [field.jsonName]: objectOf(sent) };
  return sent === undefined ? {} : { [field.jsonName]: sent };
}

function objectOf(sent: JsonValue | undefined): JsonObject {
  if (sent === undefined) return {};
  if (isObject(sent)) return sent;
  throw badRequest('The body must be a JSON object.');
}

/** Refuses a second value in the body, because the path decides and the other value would be ignored. */
function assertNotInBody(request: JsonObject, variable: Variable): void {
  let object: JsonValue | undefined = request;
  for (const [index, field] of variable.path.entries()) {
    if (!isObject(object)) return;
    const key = [field.jsonName, field.name].find((name) => Object.hasOwn(object as JsonObject, name));
    if (key === undefined) return;
    if (index === variable.path.length - 1) {
      throw badRequest(sentence`"${variable.name}" is given in the path. Leave it out of the body.`);
    }
    object = object[key];
  }
}

function decode(binding: Binding, request: JsonObject): Message {
  try {
    return fromJson(binding.rpc.input, request);
  } catch (error) {
    const field = binding.bodyField;
    const inBody = field === undefined ? undefined : bodyFault(field, request[field.jsonName]);
    const inThePath = binding.pathFields.filter((path) => path.length === 1).flat();
    throw badRequest(inBody ?? jsonFaultOf(binding.rpc.input, request, inThePath) ?? (error as Error).message);
  }
}

/** The REST rule of a body; undefined without one. */
function bodyRuleOf({ rpc, body, bodyField }: Binding): ((request: JsonObject) => RestFault | undefined) | undefined {
  if (body === '') return undefined;
  if (bodyField === undefined) return messageRuleOf(rpc.input);
  const rule = restRuleOf(bodyField);
  return (
    rule &&
    ((request) => {
      const json = request[bodyField.jsonName];
      return json === undefined || json === null ? undefined : rule(json);
    })
  );
}

/** Removes the items that are answered one by one, so that the call is read without them; undefined if they are not a list. */
function takeItems(request: JsonObject, { jsonName, name }: ItemList): readonly JsonValue[] | undefined {
  const key = [jsonName, name].find((each) => Object.hasOwn(request, each));
  const items = key === undefined ? undefined : request[key];
  if (key === undefined || !Array.isArray(items)) return undefined;
  request[key] = [];
  return items;
}

/** How items are read. */
type HowToRead = {
  /** Whether the body has text that cannot be stored, so that each item is searched for it. */
  readonly isSuspect: boolean;
  /** The JSON of an item from what was sent; by default the same. */
  readonly readAs?: ((sent: JsonValue) => JsonValue) | undefined;
};

/** Restores the items; an unreadable item becomes an empty one with a recorded fault. */
function restoreItems(
  message: Message,
  list: ItemList,
  items: readonly JsonValue[],
  { isSuspect, readAs = (item) => item }: HowToRead,
): void {
  const rule = messageRuleOf(list.message);
  const read = items.map((sent) => {
    try {
      const json = readAs(sent);
      const item = readItem(list.message, json, rule);
      if (isSuspect) assertStorable(json, '');
      return item;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const item = create(list.message);
      noteItemFault(item, error);
      return item;
    }
  });
  (message as Message & Record<string, unknown>)[list.localName] = read;
}

function readItem(type: DescMessage, json: JsonValue, rule: RestRule | undefined): Message {
  const item = readAs(type, json);
  const fault = rule?.(json);
  if (fault !== undefined) throw badRequest(restFaultText(fault));
  return item;
}

function readAs(type: DescMessage, json: JsonValue): Message {
  try {
    return fromJson(type, json);
  } catch (error) {
    throw badRequest(jsonFaultOf(type, json) ?? (error as Error).message);
  }
}

/** If the body is one field, the paths are relative to the body, because the caller does not know the field. */
function bodyFault(field: DescField, json: JsonValue | undefined): string | undefined {
  if (json === undefined || field.fieldKind !== 'message') return undefined;
  return jsonFaultOf(field.message, json);
}

/** Without a mask, the keys of the body are the fields to write; a `null` is in the mask and clears its field. */
function completeMask(binding: Binding, mask: DescField, message: Message, sent: JsonValue | undefined): void {
  const reflected = reflect(binding.rpc.input, message);
  if (isFieldSet(message, mask) || mask.fieldKind !== 'message') return;
  const written = binding.bodyField?.message ?? binding.rpc.input;
  const keys = isObject(sent) ? Object.keys(sent) : [];
  const fields = written.fields.filter(
    (field) => field !== mask && (keys.includes(field.jsonName) || keys.includes(field.name)),
  );
  const paths = fields.map((field) => field.name);
  reflected.set(mask, reflect(mask.message, create(FieldMaskSchema, { paths })));
}

function isEmptyObject(json: JsonValue): boolean {
  return isObject(json) && Object.keys(json).length === 0;
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
