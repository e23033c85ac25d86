import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { unsupportedMediaType } from '../server/http/protocol-error.ts';
import { type Body, parseBody, utf8Of } from './json-body.ts';
import type { TakenForm } from './taken-form.ts';

/** The attributes of a CloudEvent that are read; the others are ignored. */
const ATTRIBUTES = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype'] as const;

type Attributes = { readonly [Name in (typeof ATTRIBUTES)[number]]?: JsonValue | undefined };

/** The CloudEvents of a body: one, or a batch of which each is read alone. */
export type CloudEvents = { readonly one: JsonObject } | { readonly batch: readonly JsonValue[] };

/**
 * The CloudEvents of a body in one of the modes of their HTTP binding: binary (headers `ce-...`), structured or batched (by the content type).
 * Undefined for any other body.
 * @throws ProtocolError 415 for a mode that the route does not take; DomainError invalid for a body that cannot be read
 */
export function cloudEventsIn(body: Body, taken: TakenForm): CloudEvents | undefined {
  const type = mediaTypeOf(body.contentType);
  if (!type.startsWith('application/cloudevents')) {
    if (body.header?.('ce-specversion') === undefined) return undefined;
    if (taken === 'batch') throw oneAtATime();
    return { one: triggerOf(attributesIn(body), binaryData(body, type)) };
  }
  if (type === 'application/cloudevents-batch+json') {
    if (taken === 'one') throw unsupportedMediaType('Send a batch of CloudEvents to /gamification/triggers/batch.');
    const events = parseBody(utf8Of(body) ?? '');
    if (!Array.isArray(events)) throw badRequest('The body of a batch of CloudEvents is a JSON array.');
    return { batch: events };
  }
  if (type !== 'application/cloudevents+json')
    throw unsupportedMediaType(`The body is "${type}". Send CloudEvents as application/cloudevents+json.`);
  if (taken === 'batch') throw oneAtATime();
  return { one: triggerOfCloudEvent(parseBody(utf8Of(body) ?? '')) };
}

/**
 * The event of a CloudEvent in JSON, as the JSON of a Trigger.
 * @throws DomainError invalid, with the attribute and the expected value
 */
export function triggerOfCloudEvent(event: JsonValue): JsonObject {
  if (!isObject(event)) throw badRequest('A CloudEvent is a JSON object.');
  if (event['data_base64'] !== undefined) throw badRequest('Send `data` as JSON instead of `data_base64`.');
  const { datacontenttype } = event;
  const isJson = typeof datacontenttype === 'string' && isJsonType(mediaTypeOf(datacontenttype));
  if (datacontenttype !== undefined && !isJson)
    throw badRequest('`datacontenttype` must be application/json: the `data` of an event is a JSON object.');
  return triggerOf(event, event['data']);
}

/** The operation id is a hash of `source` and `id`, which name a CloudEvent together; as JSON, so that no two pairs are alike. */
function triggerOf(
  { specversion, id, source, type, subject, time }: Attributes,
  data: JsonValue | undefined,
): JsonObject {
  if (specversion !== '1.0') throw badRequest('`specversion` must be "1.0".');
  const pair = [needed('source', source, 2_048), needed('id', id, 2_048)];
  if (data !== undefined && data !== null && !isObject(data))
    throw badRequest('`data` must be a JSON object with the amount and the attributes of the event, or be left out.');
  if (time !== undefined && typeof time !== 'string')
    throw badRequest('`time` must be a text of RFC 3339, for example "2026-11-25T08:00:00Z".');
  return {
    programmaticCode: needed('type', type, 100),
    accountId: needed('subject', subject, 255),
    idType: 'EXTERNAL',
    operationId: createHash('sha256').update(JSON.stringify(pair)).digest('hex'),
    ...(data && { metadata: data }),
    ...(time !== undefined && { occurredAt: time }),
  };
}

/** The meaning of each needed attribute, for a message. */
const MEANINGS: Readonly<Record<string, string>> = {
  source: 'the context in which the event happened',
  id: 'the id of the event within its source',
  type: 'the code of an event definition',
  subject: 'your own id of the account',
};

function needed(name: string, value: JsonValue | undefined, max: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= max) return value;
  throw badRequest(sentence`\`${name}\` must be a text of 1-${max} characters: ${MEANINGS[name]!}.`);
}

/** The attributes in the headers, each without quotes and percent-decoded. */
function attributesIn({ header }: Body): Attributes {
  return Object.fromEntries(
    ATTRIBUTES.flatMap((name) => {
      const value = header?.(`ce-${name}`);
      return value === undefined ? [] : [[name, decoded(name, unquoted(value))]];
    }),
  );
}

/** The text in quotes: earlier versions of the HTTP binding quote a value with spaces instead of encoding them. */
function unquoted(value: string): string {
  const text = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
  return text === undefined ? value : text.replaceAll(/\\(.)/g, '$1');
}

function decoded(name: string, value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    throw badRequest(sentence`The header ce-${name} is not valid percent-encoded UTF-8.`);
  }
}

function binaryData(body: Body, type: string): JsonValue | undefined {
  const text = utf8Of(body);
  if (text === undefined) return undefined;
  if (type !== '' && !isJsonType(type))
    throw unsupportedMediaType(`The data is "${type}". Send JSON with \`Content-Type: application/json\`.`);
  return parseBody(text);
}

function oneAtATime(): Error {
  return unsupportedMediaType(
    'Send CloudEvents here as application/cloudevents-batch+json; one alone to /gamification/triggers.',
  );
}

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]!.trim().toLowerCase();
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
