// The reference script from Scalar's plugin for Fastify. It is byte for byte the script of @scalar/api-reference, in a package of 30 MB
// instead of 280 (docs/decisions/0096-weight.md).
import plugin from '@scalar/fastify-api-reference';

/** The parts of Fastify and of an answer that the plugin uses. */
type Reply = { header(): Reply; send(body: string): void };
type Route = { readonly url: string; readonly handler: (request: undefined, reply: Reply) => void };

/**
 * The script, read through the plugin's route as a request would be answered.
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
