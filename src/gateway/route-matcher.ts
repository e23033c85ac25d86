import type { PathTemplate, PathVariable } from './path-template.ts';

/** Finds the route of a request among `routes`. The work per request grows with the number of segments, not of routes. */
export function routeMatcher<R extends Matchable>(routes: readonly R[]): RouteMatcher<R> {
  const table: Table<R> = { root: newNode(), literalPaths: new Map(), verbs: new Set() };
  for (const route of routes) addRoute(table, route);
  return (httpMethod, path) => find(table, httpMethod, path);
}

/** What the matcher needs to know of a route. */
export type Matchable = {
  /** In upper case; `*` takes every method that no other route of the same path takes. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
};

/** @param path as sent: percent-encoded, without the query. HEAD is answered by the route of GET. */
export type RouteMatcher<R> = (httpMethod: string, path: string) => RouteMatch<R>;

export type RouteMatch<R> =
  /** `values` are those of the template's variables, in their order, percent-decoded. */
  | { readonly kind: 'found'; readonly route: R; readonly values: readonly string[] }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'methodNotAllowed'; readonly allowed: readonly string[] }
  /** A percent escape in the path is broken, or is not UTF-8. */
  | { readonly kind: 'malformed' };

type Table<R> = {
  readonly root: Node<R>;
  /** Paths without variables, whole: the shortest way to the busiest operations. */
  readonly literalPaths: Map<string, Map<string, R>>;
  readonly verbs: Set<string>;
};

/** One position in the path. Where several ways lead on, the one that says most is tried first: text, `*`, `**`. */
type Node<R> = {
  readonly literals: Map<string, Node<R>>;
  any: Node<R> | undefined;
  /** Routes that end here, and those that take all the rest from here: by custom verb, then by HTTP method. */
  readonly ends: Map<string, Map<string, R>>;
  readonly rests: Map<string, Map<string, R>>;
};

/** One request on its way through the tree. */
type Search = {
  readonly httpMethod: string;
  readonly segments: readonly string[];
  readonly verb: string;
  /** Methods of routes that match the path but not the method. */
  readonly allowed: Set<string>;
};

const NO_VALUES: readonly string[] = [];

function newNode<R>(): Node<R> {
  return { literals: new Map(), any: undefined, ends: new Map(), rests: new Map() };
}

function addRoute<R extends Matchable>(table: Table<R>, route: R): void {
  const { segments, verb } = route.template;
  let node = table.root;
  let methods: Map<string, R> | undefined;
  for (const segment of segments) {
    if (segment.kind === 'rest') methods = upsert(node.rests, verb, () => new Map());
    else if (segment.kind === 'any') node = node.any ??= newNode();
    else node = upsert(node.literals, segment.text, () => newNode<R>());
  }
  methods ??= upsert(node.ends, verb, () => new Map());
  if (methods.has(route.httpMethod)) throw new Error(`Two routes take ${route.httpMethod} ${shapeOf(route.template)}.`);
  methods.set(route.httpMethod, route);
  if (verb !== '') table.verbs.add(verb);
  // A path with characters that have several spellings is left to the tree, which compares decoded text.
  if (
    segments.every((segment) => segment.kind === 'literal' && /^[\w.~-]+$/.test(segment.text)) &&
    /^[\w.~-]*$/.test(verb)
  ) {
    table.literalPaths.set(shapeOf(route.template), methods);
  }
}

/** The template without the names of its variables: two routes of one shape and method could not be told apart. */
function shapeOf({ segments, verb }: PathTemplate): string {
  const parts = segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text;
    return segment.kind === 'any' ? '*' : '**';
  });
  return `/${parts.join('/')}${verb === '' ? '' : `:${verb}`}`;
}

function find<R extends Matchable>(table: Table<R>, httpMethod: string, path: string): RouteMatch<R> {
  const literal = routeFor(table.literalPaths.get(path), httpMethod);
  if (literal !== undefined) return { kind: 'found', route: literal, values: NO_VALUES };
  if (!path.startsWith('/')) return { kind: 'notFound' };

  const raw = path.slice(1).split('/');
  const decoded = decodeAll(raw);
  if (decoded === undefined) return { kind: 'malformed' };
  const allowed = new Set<string>();
  return (
    findWithVerb(table, httpMethod, raw, decoded, allowed) ??
    findPlain(table.root, raw, { httpMethod, segments: decoded, verb: '', allowed }) ??
    refusal(allowed)
  );
}

/** A colon that starts a known verb is a verb; any other belongs to the value, so that ids may hold colons. */
function findWithVerb<R extends Matchable>(
  table: Table<R>,
  httpMethod: string,
  raw: readonly string[],
  decoded: readonly string[],
  allowed: Set<string>,
): RouteMatch<R> | undefined {
  if (table.verbs.size === 0) return undefined;
  const last = raw.at(-1) ?? '';
  for (let colon = last.indexOf(':'); colon !== -1; colon = last.indexOf(':', colon + 1)) {
    const verb = decodeURIComponent(last.slice(colon + 1));
    if (!table.verbs.has(verb)) continue;
    const stem = last.slice(0, colon);
    const segments = decoded.with(-1, decodeURIComponent(stem));
    const found = findPlain(table.root, raw.with(-1, stem), { httpMethod, segments, verb, allowed });
    if (found !== undefined) return found;
  }
  return undefined;
}

function findPlain<R extends Matchable>(
  root: Node<R>,
  raw: readonly string[],
  search: Search,
): RouteMatch<R> | undefined {
  const route = descend(root, 0, search);
  if (route === undefined) return undefined;
  const values = route.template.variables.map((variable) => valueOf(variable, raw, search.segments));
  return { kind: 'found', route, values };
}

/** Each node is entered at most once for one request, since its depth is the index: no path makes this slow. */
function descend<R extends Matchable>(node: Node<R>, index: number, search: Search): R | undefined {
  const segment = search.segments[index];
  if (segment === undefined) {
    return claim(node.ends.get(search.verb), search) ?? claim(node.rests.get(search.verb), search);
  }
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : descend(literal, index + 1, search);
  if (found !== undefined) return found;
  const any = node.any === undefined || segment === '' ? undefined : descend(node.any, index + 1, search);
  return any ?? claim(node.rests.get(search.verb), search);
}

function claim<R extends Matchable>(methods: ReadonlyMap<string, R> | undefined, search: Search): R | undefined {
  const route = routeFor(methods, search.httpMethod);
  if (route !== undefined || methods === undefined) return route;
  for (const httpMethod of methods.keys()) search.allowed.add(httpMethod);
  return undefined;
}

function routeFor<R>(methods: ReadonlyMap<string, R> | undefined, httpMethod: string): R | undefined {
  if (methods === undefined) return undefined;
  return methods.get(httpMethod) ?? (httpMethod === 'HEAD' ? methods.get('GET') : undefined) ?? methods.get('*');
}

function refusal(allowed: Set<string>): RouteMatch<never> {
  if (allowed.size === 0) return { kind: 'notFound' };
  if (allowed.has('GET')) allowed.add('HEAD');
  return { kind: 'methodNotAllowed', allowed: [...allowed].sort() };
}

/** A value of several segments keeps its `%2F`, so that an escaped slash can be told from one between segments. */
function valueOf(variable: PathVariable, raw: readonly string[], decoded: readonly string[]): string {
  if (variable.single) return decoded[variable.start] ?? '';
  return raw.slice(variable.start, variable.end).map(decodeExceptSlash).join('/');
}

function decodeExceptSlash(segment: string): string {
  return segment
    .split(/(%2f)/i)
    .map((part) => (/^%2f$/i.test(part) ? part : decodeURIComponent(part)))
    .join('');
}

function decodeAll(raw: readonly string[]): readonly string[] | undefined {
  if (!raw.some((segment) => segment.includes('%'))) return raw;
  try {
    return raw.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

function upsert<V>(map: Map<string, V>, key: string, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}
