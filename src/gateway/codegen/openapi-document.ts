import { readFileSync } from 'node:fs';
import type { Binding } from '../binding.ts';
import type { ErrorExtensions, FieldOptions, PermissionExtensions } from '../route.ts';
import { createComponents } from './openapi-components.ts';
import { ERROR_SCHEMA, errorSchema } from './openapi-errors.ts';
import { headers } from './openapi-headers.ts';
import { operationOf, pathOf, tagOf } from './openapi-operation.ts';
import { schemasFor } from './openapi-schemas.ts';
import { security, securitySchemes } from './openapi-security.ts';
import { messagesOf, type Webhook, webhookItems } from './openapi-webhooks.ts';
import { commentOf } from './proto-comments.ts';

/** The OpenAPI 3.1 document of `bindings`, with all comments and rules of the protos. */
export function openApiDocument(
  bindings: readonly Binding[],
  options: FieldOptions & ErrorExtensions & PermissionExtensions,
  webhooks: readonly Webhook[] = [],
): object {
  const components = createComponents();
  const schemas = schemasFor(bindings, options, webhooks.flatMap(messagesOf));
  const document = { schemas, components, options };
  const paths: Record<string, Record<string, object>> = {};
  assertUniqueIds(bindings);
  for (const binding of bindings) {
    const path = (paths[pathOf(binding)] ??= {});
    path[binding.httpMethod.toLowerCase()] = operationOf(binding, document);
  }
  const pushed = webhookItems(webhooks, schemas, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Laurel',
      version: packageVersion(),
      description: 'Gamification and rewards: events, missions, points, rewards and a marketplace.',
      contact: { name: 'Whoever runs this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that answers this document.' }],
    security,
    tags: tagsOf(bindings),
    paths,
    ...(webhooks.length === 0 ? {} : { webhooks: pushed }),
    components: {
      securitySchemes,
      headers,
      responses: components.responses(),
      examples: components.examples(),
      schemas: { [ERROR_SCHEMA]: errorSchema, ...schemas.components() },
    },
  };
}

/** Requires unique ids: generated clients name their functions by them, so a name must not depend on the order of operations. */
function assertUniqueIds(bindings: readonly Binding[]): void {
  for (const [id, same] of Map.groupBy(bindings, ({ operationId }) => operationId)) {
    if (same.length === 1) continue;
    const rpcs = same.map(({ rpc }) => rpc.toString()).join(' and ');
    throw new Error(`${rpcs}: both are ${id} in OpenAPI. Rename the RPC that is not released.`);
  }
}

function tagsOf(bindings: readonly Binding[]): object[] {
  const tags = new Map(bindings.map((binding) => [tagOf(binding), commentOf(binding.rpc.parent)]));
  return [...tags].map(([name, description]) => (description === '' ? { name } : { name, description }));
}

function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
