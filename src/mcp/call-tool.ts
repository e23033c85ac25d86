import { type DescMessage, fromJson, type JsonObject, toJson } from '@bufbuild/protobuf';
import { type Laurel, LaurelError } from '../../packages/typescript/src/index.ts';
import { fitting, framed, leadsOf, nextPage } from './answer.ts';
import type { Tool } from './tools.ts';

/** The rows of a page that an assistant does not size itself. */
const ROWS = 20;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The result of a call, as texts for the assistant. */
export type Told = { readonly texts: readonly string[]; readonly isError?: boolean };

/** Calls an operation with the permissions of the client's key. Errors are told, not thrown, so that the assistant can react. */
export async function callTool(
  laurel: Laurel,
  tools: ReadonlyMap<string, Tool>,
  tool: Tool,
  args: JsonObject,
): Promise<Told> {
  const { input, output, parent, localName } = tool.method;
  try {
    const request = completed(input, args, tool.reads);
    const client = laurel.client(parent) as Record<string, (message: unknown) => Promise<never>>;
    const answer = toJson(output, await client[localName]!(fromJson(input, request))) as JsonObject;
    return { texts: answerTexts(tools, tool, request, answer) };
  } catch (error) {
    return { texts: [failureOf(error)], isError: true };
  }
}

function answerTexts(tools: ReadonlyMap<string, Tool>, tool: Tool, request: JsonObject, answer: JsonObject): string[] {
  const { text, isWhole } = fitting(answer);
  const next = nextPage(request, answer);
  const leads = leadsOf(answer, (name) => tools.has(name));
  const hints = [
    ...(isWhole ? [] : ['Parts are left out: ask for less at once (`limit`, `filters`), or read one by its id.']),
    ...(next === undefined ? [] : [`There are more rows: call ${tool.name} with ${JSON.stringify(next)}`]),
    ...(leads.length === 0 ? [] : [`More about ids in it: ${leads.join(', ')}`]),
  ];
  return [framed(text), ...(hints.length === 0 ? [] : [hints.join('\n')])];
}

/**
 * A request with the parts that an assistant leaves out: a page, and the kind of an account id.
 * @throws TypeError if a change names an account by a UUID without saying whose id that is
 */
function completed(input: DescMessage, args: JsonObject, reads: boolean): JsonObject {
  const has = (name: string) => input.fields.some((field) => field.jsonName === name);
  const isPaged = has('limit') && (has('page') || has('cursor'));
  const request: JsonObject = {
    ...(isPaged && has('page') && { page: 1 }),
    ...(isPaged && { limit: ROWS }),
    ...args,
  };
  return withIdTypes(input, request, reads);
}

function withIdTypes(input: DescMessage, request: JsonObject, reads: boolean): JsonObject {
  const own = input.fields.some((field) => field.jsonName === 'idType');
  const id = request['accountId'] ?? request['id'];
  const known = own && request['idType'] === undefined && typeof id === 'string';
  if (known && UUID.test(id) && !reads) {
    throw new TypeError('Send idType: INTERNAL for an id of Laurel, EXTERNAL for an id of the platform.');
  }
  const inner = input.fields.flatMap(({ jsonName, message, fieldKind }) => {
    const value = request[jsonName];
    const isMessage = fieldKind === 'message' && message !== undefined && typeof value === 'object' && value !== null;
    return isMessage && !Array.isArray(value) ? [[jsonName, withIdTypes(message, value, reads)] as const] : [];
  });
  const idType: JsonObject = known ? { idType: UUID.test(id) ? 'INTERNAL' : 'EXTERNAL' } : {};
  return { ...request, ...Object.fromEntries(inner), ...idType };
}

/** Messages of errors may repeat stored texts, such as names. */
function failureOf(error: unknown): string {
  if (!(error instanceof LaurelError))
    return `The arguments are wrong: ${error instanceof Error ? error.message : String(error)}`;
  const { code, message, details, retryable } = error;
  const faults = details.map(({ field, message: fault }) => `${field}: ${fault}`);
  const hint = retryable
    ? 'The service could not answer now. The same call may succeed later.'
    : 'The service refused the call. Do not repeat it unchanged.';
  return `${hint}\n${framed([`${code}: ${message}`, ...faults].join('\n'))}`;
}
