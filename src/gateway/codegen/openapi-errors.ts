import type { DeclaredError } from './declared-errors.ts';
import type { JsonSchema, Response } from './openapi-types.ts';

/** What the schema of the body of every error is called. */
export const ERROR_SCHEMA = 'LaurelError';

/** The body of every error. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  required: ['statusCode', 'message', 'code', 'traceId'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
    message: { type: 'string', description: 'For people: what is wrong and what to send instead.' },
    code: { type: 'string', description: 'For programs: stable, in upper case.', examples: ['BAD_REQUEST'] },
    traceId: { type: 'string', description: 'Names this call in the logs of the service. Log it.' },
  },
};

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is at fault. Do not repeat it unchanged.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The credential does not allow this operation.',
  404: 'What the request names does not exist.',
  409: 'The request conflicts with the present state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests. Repeat after the time in `Retry-After`.',
  503: 'The service is busy or unavailable. Repeat with backoff.',
};

/**
 * The error answers of an operation: those it declares, by their status; 401, since every operation needs a credential; and
 * one for all others.
 */
export function errorResponsesOf(errors: readonly DeclaredError[]): Record<string, Response> {
  const codes = new Map<number, string[]>([[401, []]]);
  for (const { status, code, perItem } of errors) {
    if (!perItem) codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  const responses = [...codes].map(
    ([status, each]) => [String(status), errorResponse(describe(status, each))] as const,
  );
  return { ...Object.fromEntries(responses), default: errorResponse('Any other error.') };
}

function describe(status: number, codes: readonly string[]): string {
  const meaning = meanings[status] ?? 'Error.';
  return codes.length === 0 ? meaning : `${meaning} \`code\`: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

function errorResponse(description: string): Response {
  return { description, content: { 'application/json': { schema: { $ref: `#/components/schemas/${ERROR_SCHEMA}` } } } };
}
