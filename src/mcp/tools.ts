import { readFileSync } from 'node:fs';
import type { DescMethod, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import * as admin from '../../packages/typescript/src/gen/admin.ts';
import * as v1 from '../../packages/typescript/src/gen/v1.ts';

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** An entry of gen/tools.json, which `npm run generate` makes from the descriptors and comments of the protos. */
type Entry = {
  readonly name: string;
  readonly service: string;
  readonly method: string;
  readonly reads: boolean;
  readonly repeats: boolean;
  readonly description: string;
  readonly request: string;
};

/** An operation that an assistant may call. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly method: DescMethodUnary;
  /** Whether it changes nothing: reads and simulations. */
  readonly reads: boolean;
  /** Whether a repeat changes nothing more. */
  readonly repeats: boolean;
  /** The JSON Schema of its request. */
  readonly inputSchema: Schema & { readonly type: 'object' };
};

/** The tools to offer. */
export type Offer = {
  readonly allowWrites: boolean;
  /** Parts of names of which each tool has one; all tools by default. */
  readonly only?: readonly string[] | undefined;
};

/** The offered tools by their names, in the order of the protos. */
export function toolsOf({ allowWrites, only }: Offer): ReadonlyMap<string, Tool> {
  const path = new URL('../../gen/tools.json', import.meta.url);
  const { tools, schemas } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly tools: readonly Entry[];
    readonly schemas: Readonly<Record<string, Schema>>;
  };
  const exported: readonly unknown[] = [...Object.values(v1), ...Object.values(admin)];
  const services = new Map(exported.filter(isService).map((service) => [service.typeName, service]));
  const offered = tools
    .filter(({ reads }) => reads || allowWrites)
    .filter(({ name }) => only === undefined || only.some((part) => name.includes(part)));
  return new Map(offered.map((entry) => [entry.name, toolOf(entry, services, schemas)]));
}

function toolOf(
  { name, service, method, reads, repeats, description, request }: Entry,
  services: ReadonlyMap<string, DescService>,
  schemas: Readonly<Record<string, Schema>>,
): Tool {
  const rpc = services.get(service)?.method[method];
  if (!isUnary(rpc)) throw new Error(`gen/tools.json names ${service}.${method}: run npm run generate.`);
  return { name, description, reads, repeats, method: rpc, inputSchema: schemaOf(request, schemas) };
}

/** The schema of a request with the schemas that it refers to. */
function schemaOf(reference: string, schemas: Readonly<Record<string, Schema>>): Tool['inputSchema'] {
  const used = new Map<string, Schema>();
  const follow = (schema: Schema): void => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.set(name, schemas[name] ?? {});
      follow(schemas[name] ?? {});
    }
  };
  const root = schemas[reference.slice('#/$defs/'.length)] ?? {};
  follow(root);
  return { ...root, type: 'object', ...(used.size > 0 && { $defs: Object.fromEntries(used) }) };
}

function isUnary(rpc: DescMethod | undefined): rpc is DescMethod & DescMethodUnary {
  return rpc?.methodKind === 'unary';
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
}
