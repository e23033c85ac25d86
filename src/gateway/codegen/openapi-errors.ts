import type { Binding } from '../binding.ts';
import type { JsonSchema, Response } from './openapi-types.ts';
import { type StatedError, statedErrors } from './proto-comments.ts';

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
 * The error answers of an operation: those its comment states, 401 since every operation needs a credential, and one for
 * all others. A comment that states none gets those that any operation of its kind may give.
 */
export function errorResponsesOf(binding: Binding, comment: string): Record<string, Response> {
  const stated = statedErrors(comment);
  const errors = stated.length > 0 ? stated : usualErrors(binding);
  const all = [...errors.filter(({ status }) => status !== 401), { status: 401, codes: [] }];
  const responses = all.map((error) => [String(error.status), errorResponse(describe(error))] as const);
  return { ...Object.fromEntries(responses), default: errorResponse('Any other error.') };
}

function usualErrors({ template, httpMethod }: Binding): StatedError[] {
  const statuses = [400, ...(template.variables.length > 0 ? [404] : []), ...(httpMethod === 'GET' ? [] : [409])];
  return statuses.map((status) => ({ status, codes: [] }));
}

function describe({ status, codes }: StatedError): string {
  const meaning = meanings[status] ?? 'Error.';
  return codes.length === 0 ? meaning : `${meaning} \`code\`: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

function errorResponse(description: string): Response {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
