import type { PathTemplate } from './path-template.ts';

/**
 * Finds the route of a request among `routes`. The work per request grows with the number of segments, not of routes.
 * @throws Error if two routes take the same requests
 */
export function routeMatcher<R extends Matchable>(routes: readonly R[]): RouteMatcher<R> {
  const root = newNode<R>();
  // Whole paths without variables: the fastest way to the busiest operations.
  const literalPaths = new Map<string, Methods<R>>();
  for (const route of routes) {
    const { methods } = addRoute(root, route);
    if (route.template.every(({ kind }) => kind === 'literal')) literalPaths.set(shapeOf(route.template), methods);
  }

  return (httpMethod, path) => {
    const literal = routeFor(literalPaths.get(path), httpMethod);
    if (literal !== undefined) return { kind: 'found', route: literal, values: NO_VALUES };
    if (!path.startsWith('/')) return { kind: 'notFound' };
    const segments = segmentsOf(path);
    if (segments === undefined) return { kind: 'malformed' };
    const search: Search = { httpMethod, segments, allowed: new Set() };
    const route = descend(root, 0, search);
    if (route === undefined) return refusal(search.allowed);
    return { kind: 'found', route, values: valuesOf(route.template, segments) };
  };
}

/** The fields of a route that the matcher needs. */
export type Matchable = {
  /** In upper case. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
};

/** @param path as sent: percent-encoded, without the query. The route of GET also answers HEAD. */
export type RouteMatcher<R> = (httpMethod: string, path: string) => RouteMatch<R>;

export type RouteMatch<R> =
  /** `values` are the values of the template's variables, in order, percent-decoded. */
  | { readonly kind: 'found'; readonly route: R; readonly values: readonly string[] }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'methodNotAllowed'; readonly allowed: readonly string[] }
  /** A percent escape in the path is broken or not UTF-8. */
  | { readonly kind: 'malformed' };

/** Routes of one path by HTTP method. */
type Methods<R> = Map<string, R>;

/** One position in the path. Text is tried before a variable. */
type Node<R> = {
  readonly literals: Map<string, Node<R>>;
  variable: Node<R> | undefined;
  /** The routes that end at this node. */
  readonly methods: Methods<R>;
};

/** The state of the search for one request. */
type Search = {
  readonly httpMethod: string;
  readonly segments: readonly string[];
  /** Methods of routes that match the path but not the method. */
  readonly allowed: Set<string>;
};

const NO_VALUES: readonly string[] = [];

function newNode<R>(): Node<R> {
  return { literals: new Map(), variable: undefined, methods: new Map() };
}

/** Adds a route and returns its last node. */
function addRoute<R extends Matchable>(root: Node<R>, route: R): Node<R> {
  let node = root;
  for (const segment of route.template) {
    if (segment.kind === 'variable') node = node.variable ??= newNode();
    else node = literalBelow(node, segment.text);
  }
  if (node.methods.has(route.httpMethod)) {
    throw new Error(`Two routes take ${route.httpMethod} ${shapeOf(route.template)}.`);
  }
  node.methods.set(route.httpMethod, route);
  return node;
}

function literalBelow<R>(node: Node<R>, text: string): Node<R> {
  const below = node.literals.get(text) ?? newNode<R>();
  node.literals.set(text, below);
  return below;
}

/** The template without the names of its variables: two routes with the same shape and method could not be distinguished. */
function shapeOf(template: PathTemplate): string {
  return template.map((segment) => (segment.kind === 'literal' ? `/${segment.text}` : '/{}')).join('');
}

/** A request enters each node at most once, because the node's depth is the index: no path makes this slow. */
function descend<R>(node: Node<R>, index: number, search: Search): R | undefined {
  const segment = search.segments[index];
  if (segment === undefined) return claim(node.methods, search);
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : descend(literal, index + 1, search);
  if (found !== undefined || node.variable === undefined || segment === '') return found;
  return descend(node.variable, index + 1, search);
}

function valuesOf(template: PathTemplate, segments: readonly string[]): string[] {
  const values: string[] = [];
  for (const [index, { kind }] of template.entries()) if (kind === 'variable') values.push(segments[index] ?? '');
  return values;
}

function claim<R>(methods: Methods<R>, { httpMethod, allowed }: Search): R | undefined {
  const route = routeFor(methods, httpMethod);
  if (route === undefined) for (const method of methods.keys()) allowed.add(method);
  return route;
}

function routeFor<R>(methods: Methods<R> | undefined, httpMethod: string): R | undefined {
  return methods?.get(httpMethod) ?? (httpMethod === 'HEAD' ? methods?.get('GET') : undefined);
}

function refusal(allowed: Set<string>): RouteMatch<never> {
  if (allowed.size === 0) return { kind: 'notFound' };
  if (allowed.has('GET')) allowed.add('HEAD');
  return { kind: 'methodNotAllowed', allowed: [...allowed].sort() };
}

/** The segments of a path, percent-decoded; undefined if an escape is broken. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.slice(1).split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}
