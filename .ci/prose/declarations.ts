import { parseSync } from 'vite';

/** A name in a comment, with its line from 1. */
type Mention = { readonly line: number; readonly name: string };

/** The declared names of a TypeScript file, and the names that its comments refer to. */
export type Declarations = {
  /** Declared or imported names: variables, functions, types and their members, at any depth. */
  readonly names: ReadonlySet<string>;
  /** The source of each imported name, as the import states it. */
  readonly imports: ReadonlyMap<string, string>;
  /** The names in `{@link name}`. */
  readonly links: readonly Mention[];
  /** The names in `@param name`, with the parameters of the function after the comment. */
  readonly params: ReadonlyArray<Mention & { readonly of: Parameters }>;
};

/** The parameters of a function, with the properties of destructured ones, and the declared type of each. */
export type Parameters = { readonly names: ReadonlySet<string>; readonly types: ReadonlyMap<string, string> };

/** A node of the syntax tree, with the fields used here. */
type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown };

const NONE: Parameters = { names: new Set(), types: new Map() };

export function declarationsOf(file: string, source: string): Declarations {
  const { program, comments } = parseSync(file, source);
  const names = new Set<string>();
  const imports = new Map<string, string>();
  const functions: Node[] = [];
  visit(program, (node) => {
    for (const declared of [node['id'], node['key'], node['local']])
      for (const name of boundNames(declared)) names.add(name);
    if (node.type === 'ImportDeclaration') {
      for (const { local } of node['specifiers'] as ReadonlyArray<{ local: { name: string } }>) {
        imports.set(local.name, (node['source'] as { value: string }).value);
      }
    }
    if (!Array.isArray(node['params']) || node.type.startsWith('TSType')) return;
    functions.push(node);
    for (const param of node['params']) for (const name of boundNames(param)) names.add(name);
  });
  functions.sort((a, b) => a.start - b.start);
  const mentions = (pattern: RegExp) =>
    comments.flatMap(({ value, start, end }) =>
      [...value.matchAll(pattern)].map(({ 1: name = '', index }) => {
        return { name, line: source.slice(0, start + index).split('\n').length, end };
      }),
    );
  return {
    names,
    imports,
    links: mentions(/\{@link ([\w.$]+)/g),
    params: mentions(/@param ([\w.$]+)(?![\w`])/g).map(({ end, ...mention }) => {
      const below = functions.find(({ start }) => start >= end);
      return { ...mention, of: below ? parametersOf(below['params'] as readonly Node[]) : NONE };
    }),
  };
}

function parametersOf(params: readonly Node[]): Parameters {
  const names = new Set<string>();
  const types = new Map<string, string>();
  for (const param of params) {
    const own = boundNames(param);
    for (const name of own) names.add(name);
    const annotated = (param['left'] ?? param['argument'] ?? param) as Node;
    visit(annotated['typeAnnotation'], (node) => {
      if (node.type === 'TSPropertySignature' || node.type === 'TSMethodSignature') {
        for (const name of boundNames(node['key'])) names.add(name);
      }
      const type = node.type === 'TSTypeReference' ? boundNames(node['typeName'])[0] : undefined;
      if (type !== undefined && own[0] !== undefined && !types.has(own[0])) types.set(own[0], type);
    });
  }
  return { names, types };
}

/** The names of an identifier, or of a pattern with its keys. */
function boundNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  const { name } = pattern;
  if (pattern.type.endsWith('Identifier')) return [name as string];
  const { left, argument, parameter, properties, elements, key, value } = pattern;
  const parts = [left, argument, parameter, properties, elements, key, value].flat();
  return parts.flatMap(boundNames);
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  if (!isNode(value)) return;
  see(value);
  for (const field of Object.values(value)) if (typeof field === 'object') visit(field, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
