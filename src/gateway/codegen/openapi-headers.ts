import { errorHeaders, httpStatuses } from '../../kernel/errors/error-kinds.ts';
import { operationIdField } from '../../server/rpc/operation-id-field.ts';
import type { Binding } from '../binding.ts';
import type { JsonSchema, Ref } from './openapi-types.ts';

type Header = { readonly description: string; readonly required?: true; readonly schema: JsonSchema; example: unknown };

/**
 * Headers of answers, for `components`. Standard HTTP headers and the browser headers of every answer (`Cache-Control`,
 * `X-Content-Type-Options`, `Referrer-Policy`) are left out.
 */
export const headers: Readonly<Record<string, Header>> = {
  traceparent: {
    description:
      'W3C Trace Context of this call. Its second part is the trace id: of the trace that the request named in its own `traceparent`, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
  },
  'Idempotency-Replayed': {
    description: 'Only where the operation id was used before: this is the stored answer, and nothing happened again.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description:
      'Names the content of this answer. Send it as `If-None-Match` to get 304 without a body while the content is the same.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}"$' },
    example: '"6pVn1bKhVQ5Zs0mO2cX7tA"',
  },
  'Retry-After': {
    description: 'Seconds to wait before the same request is worth repeating.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The scheme of the credential that is asked for.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  'Set-Cookie': {
    description: 'The session of a browser, where it begins, goes on or ends. HttpOnly.',
    schema: { type: 'string' },
    example: 'laurel_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  },
};

/** The headers of a successful answer. */
export function successHeaders({ rpc, etag }: Binding): Record<string, Ref> {
  const repeats = operationIdField(rpc)?.kind === 'one';
  // Only these operations are for browsers; others have no cookies.
  const isSession = rpc.parent.name === 'SessionService';
  return refs([
    'traceparent',
    ...(repeats ? ['Idempotency-Replayed'] : []),
    ...(isSession ? ['Set-Cookie'] : []),
    ...(etag ? ['ETag'] : []),
  ]);
}

/** The answer to a client that has the content already; none for an operation without ETags. */
export function unchangedAnswer({ etag }: Binding): { '304'?: { description: string; headers: Record<string, Ref> } } {
  if (!etag) return {};
  return {
    '304': { description: 'The content is still that of `If-None-Match`.', headers: refs(['traceparent', 'ETag']) },
  };
}

/** The headers of an error with a status, from the server's own table; undefined means any error. */
export function errorHeadersOf(status: number | undefined): Record<string, Ref> {
  const sent = Object.entries(errorHeaders).flatMap(([kind, each]) =>
    status === undefined || httpStatuses[kind as keyof typeof httpStatuses] === status ? Object.keys(each ?? {}) : [],
  );
  const names = Object.keys(headers).filter((name) => sent.includes(name.toLowerCase()));
  return refs(['traceparent', ...names.filter((name) => status !== undefined || !headers[name]?.required)]);
}

function refs(names: readonly string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
