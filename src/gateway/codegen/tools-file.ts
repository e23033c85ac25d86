import { type DescMessage, type DescMethod, ScalarType } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import type { Binding } from '../binding.ts';
import type { FieldOptions } from '../route.ts';
import { schemasFor } from './openapi-schemas.ts';
import type { JsonSchema } from './openapi-types.ts';
import { commentOf, summaryOf } from './proto-comments.ts';

/** Fields with secrets, which no assistant is shown. */
const SECRET = /secret|password|recovery|token$/i;

/** Services for people in a browser. */
const OF_BROWSERS = new Set(['SessionService']);

/** The references of schemas in OpenAPI, and in a schema that stands alone. */
const REFERENCE = { openApi: '#/components/schemas/', own: '#/$defs/' } as const;

/**
 * gen/tools.json: every operation that an assistant may be offered as a tool, with its request as a JSON Schema. Operations are left out that
 * answer with a secret, that are streams, and that are for browsers.
 */
export function toolsFile(rpcs: readonly DescMethod[], bindings: readonly Binding[], options: FieldOptions): string {
  const schemas = schemasFor(bindings, options, []);
  const offered = rpcs.filter(isOffered);
  const names = offered.map(({ name }) => snake(name));
  const tools = offered.map((rpc) => {
    const comment = commentOf(rpc);
    const name = snake(rpc.name);
    // Two services may have operations of one name.
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    return {
      name: isUnique ? name : `${name}_${snake(rpc.parent.name.replace(/Service$/, ''))}`,
      service: rpc.parent.typeName,
      method: rpc.localName,
      reads: rpc.idempotency === Level.NO_SIDE_EFFECTS,
      repeats: rpc.idempotency !== Level.IDEMPOTENCY_UNKNOWN,
      description: comment.replace(/ ?Not part of the published\s+contract\./, ''),
      request: schemas.messageRef(rpc.input)['$ref'],
    };
  });
  const components = schemas.components();
  const used = reachable(
    components,
    tools.map(({ request }) => String(request)),
  );
  const definitions = Object.entries(components).filter(([name]) => used.has(REFERENCE.openApi + name));
  return JSON.stringify({ tools, schemas: Object.fromEntries(definitions) }, shortened, 1).replaceAll(
    REFERENCE.openApi,
    REFERENCE.own,
  );
}

function isOffered(rpc: DescMethod): boolean {
  return (
    rpc.methodKind === 'unary' &&
    rpc.parent.typeName.startsWith('laurel.') &&
    !OF_BROWSERS.has(rpc.parent.name) &&
    !hasSecret(rpc.output, new Set())
  );
}

function hasSecret(message: DescMessage, seen: Set<string>): boolean {
  if (seen.has(message.typeName)) return false;
  seen.add(message.typeName);
  return message.fields.some(
    (field) =>
      (field.scalar === ScalarType.STRING && SECRET.test(field.name)) ||
      (field.message !== undefined && hasSecret(field.message, seen)),
  );
}

/** The references that are reached from some. */
function reachable(components: Record<string, JsonSchema>, from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (reference: string): void => {
    if (found.has(reference)) return;
    found.add(reference);
    const text = JSON.stringify(components[reference.slice(REFERENCE.openApi.length)]);
    for (const [, next = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) follow(next);
  };
  from.forEach(follow);
  return found;
}

/** Descriptions of fields have one sentence, because an assistant reads all of them before its first call. */
function shortened(this: unknown, key: string, value: unknown): unknown {
  const ofTool = this !== null && typeof this === 'object' && 'service' in this;
  return key === 'description' && typeof value === 'string' && !ofTool ? summaryOf(value) : value;
}

function snake(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])/g, '$&_').toLowerCase();
}
