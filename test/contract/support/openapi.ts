import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { type AnySchema, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** An answer over REST. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

type Ref = { readonly $ref: string };
type Content = Readonly<
  Record<string, { readonly schema: AnySchema; readonly examples?: Readonly<Record<string, Ref>> }>
>;
type Header = { readonly required?: boolean; readonly schema: AnySchema; readonly example: unknown };
type Response = { readonly content?: Content; readonly headers?: Readonly<Record<string, Ref>> };
type Responses = Readonly<Record<string, Response | Ref>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: AnySchema;
  readonly example?: unknown;
};
export type Operation = {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Responses;
  /** The alternatives of credentials; if missing, those of the whole document. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
};

/** The OpenAPI description, limited to the parts that are read here. */
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly name?: string }>>;
  };
};

/** The committed description. */
export const openapi = parse(readFileSync(new URL('../../../gen/openapi.yaml', import.meta.url), 'utf8')) as OpenApi;

/** The object, or the target of its reference. */
export function resolved<Part extends object>(part: Part | Ref): Part {
  if (!('$ref' in part)) return part;
  const names = part.$ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], openapi) as Part;
}

/** Literals before variables, segment by segment, as the service matches: `{` sorts after every letter. */
const templates = Object.keys(openapi.paths)
  .toSorted()
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  formats: {
    email: /^\S+@\S+$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
    uri: /^https?:\/\//,
    int32: true,
    double: true,
  },
});
// The parts of the document around the schemas, which do not describe a value.
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components']);
ajv.addSchema({ $id: 'openapi', ...closed(openapi) });
const validators = new Map<string, ValidateFunction>();

/**
 * Checks an answer against the OpenAPI description: operation, status, content type, and every field of the body. An undescribed field is
 * an error like a missing one, although OpenAPI would accept it. The body of an accepted request must be described, too.
 * @param path the requested path with its query
 * @throws Error with the differences
 */
export function expectDescribed(method: string, path: string, sent: unknown, answer: Answer): void {
  const prefix = `${method} ${path} answered ${answer.status}`;
  if (sent !== undefined && answer.status < 300) expectValid(requestPointer(method, path), sent, `${prefix} to`);
  const response = responseOf(method, path, answer.status);
  expectHeaders(response.headers, answer.headers, prefix);
  const type = answer.headers.get('content-type') ?? undefined;
  if (response.pointer === undefined) {
    if (answer.body !== undefined) throw new Error(`${prefix} with a body, which is described to have none.`);
    return;
  }
  if (type !== 'application/json') throw new Error(`${prefix} with the content type ${type}.`);
  expectValid(response.pointer, answer.body, `${prefix} with`);
}

/**
 * Headers of HTTP itself, and those of every answer for browsers, which the description omits. `allow` and `vary` are allowed only if no
 * operation answers, or if other origins may call.
 */
const UNDESCRIBED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'cache-control',
  'referrer-policy',
  'x-content-type-options',
  'content-security-policy',
  'vary',
]);

/** Checks the headers: every required one is present, each has the described form, and others are absent. */
function expectHeaders(described: Response['headers'], sent: Headers, prefix: string): void {
  if (described === undefined) return;
  const names = Object.keys(described);
  const unknown = [...sent.keys()].filter(
    (name) => !UNDESCRIBED.has(name) && !names.some((each) => each.toLowerCase() === name),
  );
  if (unknown.length > 0) throw new Error(`${prefix} with headers that are not described: ${unknown.join(', ')}.`);
  for (const [name, ref] of Object.entries(described)) {
    const value = sent.get(name);
    const { required, schema } = resolved<Header>(ref);
    if (value === null && required) throw new Error(`${prefix} without the header ${name}.`);
    if (value === null) continue;
    const isNumber = typeof schema === 'object' && 'type' in schema && schema.type === 'integer';
    expectValid(`${ref.$ref.slice(1)}/schema`, isNumber ? Number(value) : value, `${prefix} with, in ${name},`);
  }
}

/**
 * Checks a value against a schema of the description.
 * @param pointer the pointer of the schema, without `#`
 * @throws Error with the differences
 */
export function expectValid(pointer: string, body: unknown, prefix: string): void {
  const validate = validatorOf(pointer);
  if (validate(body)) return;
  const faults = validate.errors?.map((fault) => `${fault.instancePath || '/'} ${fault.message}`).join('; ');
  throw new Error(`${prefix} a body that is not as described: ${faults}\n${JSON.stringify(body, null, 2)}`);
}

/**
 * Checks a received webhook against the section `webhooks`.
 * @param headers all headers, in lower case
 * @throws Error with the differences
 */
export function expectWebhook(name: string, headers: IncomingHttpHeaders, body: string): void {
  const at = ['webhooks', name, 'post'];
  const prefix = `The webhook ${name} came with`;
  const schema = pointerTo(...at, 'requestBody', 'content', headers['content-type']!, 'schema');
  expectValid(schema, JSON.parse(body), prefix);
  const parameters = openapi.webhooks[name]?.post.parameters ?? [];
  const named = Object.keys(headers).filter((each) => each.startsWith('webhook-'));
  const unknown = named.filter((each) => !parameters.some((parameter) => parameter.name === each));
  if (unknown.length > 0) throw new Error(`${prefix} headers that are not described: ${unknown.join(', ')}.`);
  for (const [index, parameter] of parameters.entries()) {
    const value = headers[parameter.name];
    const pointer = pointerTo(...at, 'parameters', String(index), 'schema');
    if (value !== undefined) expectValid(pointer, value, `${prefix}, in ${parameter.name},`);
  }
}

/** The same for a request to a webhook endpoint, whose body says its type. */
export function expectEndpointBody(headers: IncomingHttpHeaders, body: string): void {
  const { type } = JSON.parse(body) as { type: string };
  expectWebhook(`endpoint-${type.replace('laurel.', '').toLowerCase().replaceAll('_', '-')}`, headers, body);
}

/** Template and operation of a request, if it is described. */
export function operationOf(method: string, path: string): { template: string; operation: Operation } | undefined {
  const [bare = ''] = path.split('?');
  const template = templates.find(
    (each) => each.pattern.test(bare) && openapi.paths[each.path]?.[method.toLowerCase()],
  )?.path;
  const operation = template && openapi.paths[template]?.[method.toLowerCase()];
  return template && operation ? { template, operation } : undefined;
}

/** The pointer of the schema of a request's body in the description. */
function requestPointer(method: string, path: string): string {
  const found = operationOf(method, path);
  if (!found?.operation.requestBody) throw new Error(`${method} ${path} took a body, which is not described.`);
  return pointerTo(
    'paths',
    found.template,
    method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  );
}

/** The pointer of the schema of an answer in the description; undefined without a body. */
function responseOf(method: string, path: string, status: number): { pointer?: string; headers?: Response['headers'] } {
  const found = operationOf(method, path);
  // A path without an operation is described only by the form of every error.
  if (!found) return { pointer: '/components/schemas/LaurelError' };
  const key = found.operation.responses[status] ? String(status) : 'default';
  if (key === 'default' && status < 400)
    throw new Error(`${method} ${path} answered ${status}, which is not described.`);
  const stated = found.operation.responses[key] ?? {};
  const { headers, content } = resolved<Response>(stated);
  if (!content) return { headers };
  const segments =
    '$ref' in stated
      ? stated.$ref.slice('#/'.length).split('/')
      : ['paths', found.template, method.toLowerCase(), 'responses', key];
  return { headers, pointer: pointerTo(...segments, 'content', 'application/json', 'schema') };
}

/** A JSON pointer inside the fragment of a URI. */
export function pointerTo(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

function validatorOf(pointer: string): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}

/** The same description, in which objects have no fields other than the described ones. */
function closed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value)]),
  );
  const isOpenObject =
    copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return (isOpenObject ? { ...copy, additionalProperties: false } : copy) as T;
}
