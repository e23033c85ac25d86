// The script of the reference, out of Scalar's plugin for Fastify: byte for byte the one of @scalar/api-reference, in a package that brings
// 30 MB with it instead of 280 (docs/decisions/0096-weight.md).
import plugin from '@scalar/fastify-api-reference';

/** What the plugin asks of Fastify and of an answer. */
type Reply = { header(): Reply; send(body: string): void };
type Route = { readonly url: string; readonly handler: (request: undefined, reply: Reply) => void };

/**
 * The script that the plugin would serve, taken as a request would get it.
 * @throws Error if the plugin has no such route any more
 */
export function scalarScript(): string {
  let script = '';
  const reply: Reply = { header: () => reply, send: (body) => (script = body) };
  const fastify = {
    route({ url, handler }: Route) {
      if (url.endsWith('/scalar.js')) handler(undefined, reply);
    },
  };
  const register = plugin as unknown as (fastify: object, options: object, done: () => void) => void;
  register(fastify, { configuration: { url: '/openapi.json' } }, () => {});
  if (script === '') throw new Error('The plugin of Scalar for Fastify serves no script: see where it has it now.');
  return script;
}
