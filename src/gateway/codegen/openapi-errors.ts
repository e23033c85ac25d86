import { httpStatuses } from '../../kernel/errors/error-kinds.ts';
import type { ErrorExtensions } from '../route.ts';
import { codesOf, type DeclaredError, kindOf } from './declared-errors.ts';
import { errorMessages } from './error-messages.ts';
import type { Components } from './openapi-components.ts';
import { errorHeadersOf } from './openapi-headers.ts';
import type { JsonSchema, Ref } from './openapi-types.ts';
import { commentOf, summaryOf } from './proto-comments.ts';

/** The name of the schema of error bodies. */
export const ERROR_SCHEMA = 'LaurelError';

const EXAMPLE_TRACE = '0af7651916cd43dd8448eb211c80319c';

/** A line or a column in an expression. */
function place(description: string): JsonSchema {
  return { type: 'integer', description, minimum: 1 };
}

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
    details: {
      type: 'array',
      description:
        'The faults one by one, ten at most; only of a 400 that breaks rules of fields, or has a mistake in an expression.',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        description: 'One field at fault.',
        required: ['field', 'rule', 'message'],
        properties: {
          field: {
            type: 'string',
            description: 'As you spell it in JSON; empty where it is about the request as a whole.',
            examples: ['missions[0].target'],
          },
          rule: { type: 'string', description: 'The rule that it breaks, for programs.', examples: ['string.min_len'] },
          message: { type: 'string', description: 'What to send instead, to be read behind the name of the field.' },
          line: place(
            'The line of a mistake in an expression. Absent for other faults, as are the following properties.',
          ),
          column: place('The column of its first character, in UTF-16 code units.'),
          endLine: place('The line of the character behind its last one.'),
          endColumn: place('The column of the character behind its last one.'),
          expected: {
            type: 'array',
            description:
              'What would fit there, for programs: names, types or signs. Empty if only the message says it.',
            items: { type: 'string' },
            examples: [['event.category', 'event.amount']],
          },
        },
      },
    },
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
 * The error answers of an operation: the declared ones by status; 401, because every operation needs a credential; and one for all others.
 */
export function errorResponsesOf(
  errors: readonly DeclaredError[],
  options: ErrorExtensions,
  components: Components,
): Record<string, Ref> {
  const codes = new Map<number, string[]>([[401, []]]);
  for (const { status, code, perItem } of errors) {
    if (!perItem) codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  const responses = [...codes].map(([status, each]) => {
    const shown = each.length === 0 ? ['UNAUTHENTICATED'] : each;
    const name = [...shown.map(pascal), ...(httpStatusesOf(shown, options).has(status) ? [] : [`${status}`])].join(
      'Or',
    );
    return [String(status), response(name, status, describe(status, each), shown)] as const;
  });
  // The two most frequent errors among those that any call may get.
  const others = response('OtherError', undefined, 'Any other error.', ['RATE_LIMITED', 'INTERNAL_SERVER_ERROR']);
  return { ...Object.fromEntries(responses), default: others };

  function response(name: string, status: number | undefined, description: string, shown: readonly string[]): Ref {
    const names = shown.map((code) => exampleNamed(code, status ?? statusOf(code, options), options, components));
    const content = components.jsonNamed({ $ref: `#/components/schemas/${ERROR_SCHEMA}` }, names);
    return components.response(name, { description, headers: errorHeadersOf(status), content });
  }
}

function exampleNamed(code: string, statusCode: number, options: ErrorExtensions, components: Components): string {
  // An invalid filter is a 400 for any code.
  const name = statusCode === statusOf(code, options) ? code : `${code}_${statusCode}`;
  const value = valueNamed(code, options);
  const message = errorMessages[code] ?? `${summaryOf(value === undefined ? code : commentOf(value))}.`;
  components.example(name, { statusCode, message, code, traceId: EXAMPLE_TRACE });
  return name;
}

function valueNamed(code: string, { errors }: ErrorExtensions) {
  return errors === undefined ? undefined : codesOf(errors).values.find(({ name }) => name === code);
}

function statusOf(code: string, options: ErrorExtensions): number {
  const value = valueNamed(code, options);
  const { aboutError } = options;
  return value === undefined || aboutError === undefined ? 401 : httpStatuses[kindOf(value, aboutError)];
}

function httpStatusesOf(codes: readonly string[], options: ErrorExtensions): ReadonlySet<number> {
  return new Set(codes.map((code) => statusOf(code, options)));
}

function describe(status: number, codes: readonly string[]): string {
  const meaning = meanings[status] ?? 'Error.';
  return codes.length === 0 ? meaning : `${meaning} \`code\`: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
}

/** `ACCOUNT_NOT_FOUND` as `AccountNotFound`. */
function pascal(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
