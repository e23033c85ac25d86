import { readFileSync } from 'node:fs';
import type { Binding } from '../binding.ts';
import type { ErrorExtensions, FieldOptions, PermissionExtensions } from '../route.ts';
import { createComponents } from './openapi-components.ts';
import { ERROR_SCHEMA, errorSchema } from './openapi-errors.ts';
import { headers } from './openapi-headers.ts';
import { operationOf, pathOf, tagOf } from './openapi-operation.ts';
import { schemasFor } from './openapi-schemas.ts';
import { type Webhook, webhookItems } from './openapi-webhooks.ts';
import { commentOf } from './proto-comments.ts';

/** The OpenAPI 3.1 document of `bindings`, with everything its comments and rules say. */
export function openApiDocument(
  bindings: readonly Binding[],
  options: FieldOptions & ErrorExtensions & PermissionExtensions,
  webhooks: readonly Webhook[] = [],
): object {
  const components = createComponents();
  const schemas = schemasFor(
    bindings,
    options,
    webhooks.map(({ body }) => body),
  );
  const document = { schemas, components, options };
  const paths: Record<string, Record<string, object>> = {};
  const taken = new Set<string>();
  for (const binding of bindings) {
    const path = (paths[pathOf(binding)] ??= {});
    path[binding.httpMethod.toLowerCase()] = operationOf(binding, freeOperationId(binding, taken), document);
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
    security: [{ bearer: [] }],
    tags: tagsOf(bindings),
    paths,
    ...(webhooks.length === 0 ? {} : { webhooks: pushed }),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, or an access token where the operation asks for one.',
        },
      },
      headers,
      responses: components.responses(),
      examples: components.examples(),
      schemas: { [ERROR_SCHEMA]: errorSchema, ...schemas.components() },
    },
  };
}

/** The RPC's name; with its service's where two services share a name, and numbered where one RPC has several routes. */
function freeOperationId({ rpc }: Binding, taken: Set<string>): string {
  const long = `${rpc.parent.name}${rpc.name}`;
  const candidates = [rpc.name, long, ...Array.from({ length: 100 }, (_, index) => `${long}${index + 2}`)];
  const free = candidates.find((name) => !taken.has(name));
  if (free === undefined) throw new Error(`${rpc}: too many routes for one RPC.`);
  taken.add(free);
  return free;
}

function tagsOf(bindings: readonly Binding[]): object[] {
  const tags = new Map(bindings.map((binding) => [tagOf(binding), commentOf(binding.rpc.parent)]));
  return [...tags].map(([name, description]) => (description === '' ? { name } : { name, description }));
}

function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
