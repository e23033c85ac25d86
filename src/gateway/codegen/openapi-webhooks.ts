import { type DescEnumValue, type DescExtension, type DescMessage, getOption, type Registry } from '@bufbuild/protobuf';
import { webhookHeaders } from '../../kernel/secrets/webhook-headers.ts';
import type { Components } from './openapi-components.ts';
import { exampleId, sentExample } from './openapi-examples.ts';
import type { Schemas } from './openapi-schemas.ts';
import type { Parameter } from './openapi-types.ts';
import { commentOf, summaryOf } from './proto-comments.ts';

/** A webhook that the service sends. */
export type Webhook = {
  /** The name in the path of its configuration: `publication-status`. */
  readonly name: string;
  /** The description for people. */
  readonly about: string;
  /** The message of the body: one, or a JSON array of them. */
  readonly body: DescMessage;
  readonly isList: boolean;
};

/**
 * The webhooks, one for each value of `laurel.admin.v1.WebhookType`.
 * @throws Error for a webhook without a known body
 */
export function webhooksIn(registry: Registry): Webhook[] {
  const option = registry.getExtension('laurel.http.v1.webhook_body');
  const values = registry.getEnum('laurel.admin.v1.WebhookType')?.values ?? [];
  return values
    .filter(({ number }) => number !== 0)
    .map((value) => {
      const { body, isList } = bodyOf(value, option, registry);
      return { name: value.name.toLowerCase().replaceAll('_', '-'), about: commentOf(value), body, isList };
    });
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

function operationOf({ name, about, body, isList }: Webhook, schemas: Schemas, components: Components): object {
  const item = schemas.messageRef(body);
  const example = sentExample(body);
  const schema = isList ? { type: 'array', items: item } : item;
  return {
    operationId: `${name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Webhook`,
    tags: ['Webhook'],
    summary: summaryOf(about),
    description: `${about}\n\n${commentOf(body)}\n\nSent by the configured method, POST by default, at most once unless told otherwise, and answered within 5 seconds.`,
    // Its configuration has the receiver's authentication; the webhook uses no credential of Laurel.
    security: [],
    parameters,
    requestBody: { required: true, content: components.json(schema, body.name, isList ? [example] : example) },
    responses: {
      '2XX': { description: 'Delivered. The body is not read.' },
      default: { description: 'Anything else, or no answer within 5 seconds: the delivery has failed.' },
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
