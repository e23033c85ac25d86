import { type DescEnumValue, type DescExtension, type DescMessage, getOption, type Registry } from '@bufbuild/protobuf';
import { webhookHeaders } from '../../kernel/secrets/webhook-headers.ts';
import type { Components } from './openapi-components.ts';
import { exampleId, sentExample } from './openapi-examples.ts';
import type { Schemas } from './openapi-schemas.ts';
import type { JsonSchema, MediaType, Parameter } from './openapi-types.ts';
import { commentOf, summaryOf } from './proto-comments.ts';

/** A webhook that the service sends. */
export type Webhook = {
  /** The name in the path of its configuration: `publication-status`; for endpoints `endpoint-` and the kind of the change. */
  readonly name: string;
  /** The description for people. */
  readonly about: string;
  /** The message of the body: one, or a JSON array of them. For endpoints it is the field `data` of the body. */
  readonly body: DescMessage;
  readonly isList: boolean;
  /** The kind of the change, and the message of the body without `data`; for endpoints only. */
  readonly change?: { readonly kind: string; readonly notification: DescMessage };
};

/**
 * The webhooks, one for each value of `laurel.admin.v1.WebhookType`, and for endpoints one for each value of `laurel.v1.Change.Kind`.
 * @throws Error for a webhook without a known body
 */
export function webhooksIn(registry: Registry): Webhook[] {
  const option = registry.getExtension('laurel.http.v1.webhook_body');
  const valuesOf = (name: string) => (registry.getEnum(name)?.values ?? []).filter(({ number }) => number !== 0);
  const notification = registry.getMessage('laurel.v1.WebhookNotification');
  const webhook = (value: DescEnumValue, prefix = '') => ({
    ...bodyOf(value, option, registry),
    name: prefix + kebabCase(value.name),
    about: commentOf(value),
  });
  return [
    ...valuesOf('laurel.admin.v1.WebhookType').map((value) => webhook(value)),
    ...valuesOf('laurel.v1.Change.Kind').map((value) => ({
      ...webhook(value, 'endpoint-'),
      change: { kind: value.name, notification: notification! },
    })),
  ];
}

/** The messages that the schemas of a webhook need. */
export function messagesOf({ body, change }: Webhook): DescMessage[] {
  return change === undefined ? [body] : [body, change.notification];
}

function kebabCase(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

/** The section `webhooks` of the document. */
export function webhookItems(
  webhooks: readonly Webhook[],
  schemas: Schemas,
  components: Components,
): Record<string, object> {
  return Object.fromEntries(
    webhooks.map((webhook) => [webhook.name, { post: operationOf(webhook, schemas, components) }]),
  );
}

function operationOf(webhook: Webhook, schemas: Schemas, components: Components): object {
  const { name, about, body, change } = webhook;
  return {
    operationId: `${name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Webhook`,
    tags: ['Webhook'],
    summary: summaryOf(about),
    description: `${about}\n\n${commentOf(body)}\n\n${change ? TO_ENDPOINTS : TO_WEBHOOKS}`,
    // Its configuration has the receiver's authentication; the webhook uses no credential of Laurel.
    security: [],
    parameters,
    requestBody: { required: true, content: contentOf(webhook, schemas, components) },
    responses: {
      '2XX': { description: 'Delivered. The body is not read.' },
      default: { description: 'Anything else, or no answer within 5 seconds: the delivery has failed.' },
    },
  };
}

const TO_WEBHOOKS =
  'Sent by the configured method, POST by default, at most once unless told otherwise, and answered within 5 seconds.';
const TO_ENDPOINTS =
  'Sent to each endpoint that receives this type, at least once in all with its retries, and answered within 5 seconds. The body has the form of the endpoint: PLAIN as `application/json`, CLOUD_EVENTS as `application/cloudevents+json`.';

/** The bodies by media type. */
function contentOf(
  { name, body, isList, change }: Webhook,
  schemas: Schemas,
  components: Components,
): { [mediaType: string]: MediaType } {
  const item = schemas.messageRef(body);
  const example = sentExample(body);
  if (change === undefined) {
    const schema = isList ? { type: 'array', items: item } : item;
    return components.json(schema, body.name, isList ? [example] : example);
  }
  const { kind, notification } = change;
  const { properties, required } = schemas.propertiesOf(notification);
  const plain = {
    type: 'object',
    properties: { ...properties, type: { type: 'string', enum: [kind] }, data: item },
    required: [...required, 'occurredAt', 'data'],
  };
  const cloudType = `laurel.${kebabCase(kind)}`;
  const { id, clientId, occurredAt, ...others } = sentExample(notification) as Record<string, string>;
  const cloud = {
    specversion: '1.0',
    id,
    source: `/clients/${clientId}`,
    type: cloudType,
    time: occurredAt,
    datacontenttype: 'application/json',
    data: example,
  };
  const json = components.json(plain, name, { id, clientId, occurredAt, ...others, type: kind, data: example });
  const cloudJson = components.json(cloudSchema(cloudType, item), `${name}-cloud-event`, cloud);
  return { ...json, 'application/cloudevents+json': cloudJson['application/json']! };
}

/** A CloudEvent 1.0 in structured mode. */
function cloudSchema(type: string, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'data'],
    properties: {
      specversion: { type: 'string', enum: ['1.0'] },
      id: { type: 'string', format: 'uuid', description: 'UUID of the message: deduplicate by it.' },
      source: { type: 'string', description: '`/clients/` and the UUID of the client.' },
      type: { type: 'string', enum: [type] },
      time: { type: 'string', format: 'date-time', description: 'The time at which the change was stored.' },
      datacontenttype: { type: 'string', enum: ['application/json'] },
      data,
      test: { type: 'boolean', description: 'True in test events, absent in real ones.' },
    },
  };
}

const signed = 'Only where the webhook is configured with `signed`.';

const parameters: readonly Parameter[] = [
  {
    name: webhookHeaders.id,
    in: 'header',
    description:
      'Id of the message: one that comes twice is the same. Only where the webhook is configured with `signed` or `retries`.',
    schema: { type: 'string', format: 'uuid' },
    example: exampleId('message'),
  },
  {
    name: webhookHeaders.timestamp,
    in: 'header',
    description: `When it was sent, in Unix seconds. ${signed}`,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1773506530',
  },
  {
    name: webhookHeaders.signature,
    in: 'header',
    description: `Signature as of Standard Webhooks: \`v1,\` and the base64 of the HMAC-SHA256 of id, time and body. ${signed}`,
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

function bodyOf(
  value: DescEnumValue,
  option: DescExtension | undefined,
  registry: Registry,
): Pick<Webhook, 'body' | 'isList'> {
  const stated = option === undefined ? '' : String(getOption(value, option));
  const body = registry.getMessage(stated.replace('[]', ''));
  if (body !== undefined) return { body, isList: stated.endsWith('[]') };
  throw new Error(`${value}: say what the webhook sends, by the option (laurel.http.v1.webhook_body).`);
}
