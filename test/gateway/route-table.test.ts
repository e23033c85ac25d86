import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { bindingOf } from '../../src/gateway/binding.ts';
import type { Route } from '../../src/gateway/route.ts';
import { routeMatcher } from '../../src/gateway/route-matcher.ts';

/** The result for a request: the route and the values of its variables, the methods of the path, or neither. */
type Outcome = {
  readonly kind: string;
  readonly path?: string;
  readonly values?: string[];
  readonly allowed?: string[];
};

const find = routeMatcher(routes.map(bindingOf));

function found(httpMethod: string, path: string): Outcome {
  const match = find(httpMethod, path);
  if (match.kind === 'methodNotAllowed') return { kind: match.kind, allowed: [...match.allowed] };
  if (match.kind !== 'found') return { kind: match.kind };
  return { kind: match.kind, path: `${match.route.httpMethod} ${match.route.path}`, values: [...match.values] };
}

/** One expression per route, for the canonical spelling of the path. It shares no code with the matcher. */
const expressions = routes.map((route) => ({
  route,
  expression: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`),
}));

function foundByTryingAll(httpMethod: string, path: string): Outcome {
  let canonical: string;
  try {
    canonical = path
      .split('/')
      .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
      .join('/');
  } catch {
    return { kind: path.startsWith('/') ? 'malformed' : 'notFound' };
  }
  const ofThePath = expressions.filter(({ expression }) => expression.test(canonical));
  const method = httpMethod === 'HEAD' ? 'GET' : httpMethod;
  const [best] = ofThePath
    .filter(({ route }) => route.httpMethod === method)
    .sort((a, b) => (specificity(a.route) < specificity(b.route) ? -1 : 1));
  if (best !== undefined) {
    const values = best.expression.exec(canonical)?.slice(1).map(decodeURIComponent) ?? [];
    return { kind: 'found', path: `${best.route.httpMethod} ${best.route.path}`, values };
  }
  const allowed = new Set<string>(ofThePath.map(({ route }) => route.httpMethod));
  if (allowed.size === 0) return { kind: 'notFound' };
  if (allowed.has('GET')) allowed.add('HEAD');
  return { kind: 'methodNotAllowed', allowed: [...allowed].sort() };
}

/** A route sorts first if it has text where the other has a variable. */
function specificity(route: Route): string {
  return route.path.replaceAll(/[^/]+/g, (segment) => (segment.startsWith('{') ? '2' : '1'));
}

const words = [...new Set(routes.flatMap(({ path }) => path.split('/')))].filter((word) => /^[^{]/.test(word));

const value = fc.oneof(
  { weight: 4, arbitrary: fc.uuid() },
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 8, arbitrary: fc.constantFrom('a:b', ':archive', 'a%2Fb', '%2e%2e', '..', '%C3%A9', '*', '{id}', '') },
  { weight: 1, arbitrary: fc.constantFrom('%', '%2', '%zz', '%ff', '%C3') },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);

/** Paths of real routes, most of them changed in one place, and random paths. */
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...routes), fc.array(value, { minLength: 4, maxLength: 4 }), fc.func(fc.nat(9)), fc.nat(99))
    .map(([route, values, chance, change]) => {
      const segments = route.path.split('/').map((segment, index) => {
        if (segment.startsWith('{')) return values[index % 3] ?? '';
        // The same text in another spelling.
        return segment !== '' && chance(index) === 0
          ? `%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`
          : segment;
      });
      const segmentIndex = change % segments.length;
      if (change < 10) segments.splice(segmentIndex, 1);
      else if (change < 20) segments.splice(segmentIndex, 0, values[3] ?? '');
      else if (change < 30) segments[segmentIndex] = values[3] ?? '';
      else if (change < 35) segments.push('');
      return segments.join('/');
    }),
  fc.array(value, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
);

const httpMethod = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'DELETE', 'get', '*');

it('every request finds the same route, values and refusals as by trying all routes one after the other', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(httpMethod, path, (method, sent) => {
      const outcome = found(method, sent);
      kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1);
      expect(outcome).toEqual(foundByTryingAll(method, sent));
    }),
    { numRuns: 3_000 },
  );
  // A mix of results, because the comparison would otherwise prove little.
  for (const kind of ['found', 'notFound', 'methodNotAllowed', 'malformed'])
    expect(kinds.get(kind)).toBeGreaterThan(50);
});

it('every route is found by its own method and path', () => {
  for (const route of routes) {
    const sent = route.path.replaceAll(/\{[^}]+\}/g, 'a:b%2Fc');
    const values = [...route.path.matchAll(/\{/g)].map(() => 'a:b/c');
    expect(found(route.httpMethod, sent)).toEqual({
      kind: 'found',
      path: `${route.httpMethod} ${route.path}`,
      values,
    });
  }
});
