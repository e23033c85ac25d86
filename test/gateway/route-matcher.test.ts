import { describe, expect, it } from 'vitest';
import { type PathTemplate, parsePathTemplate } from '../../src/gateway/path-template.ts';
import { type RouteMatch, routeMatcher } from '../../src/gateway/route-matcher.ts';

type TestRoute = {
  readonly httpMethod: string;
  readonly path: string;
  readonly template: PathTemplate;
};

/** A matcher for routes written as `GET /books/{id}`. */
function matcherOf(...routes: string[]): (request: string) => RouteMatch<TestRoute> {
  const match = routeMatcher(
    routes.map((route) => {
      const [httpMethod = '', path = ''] = route.split(' ');
      return { httpMethod, path, template: parsePathTemplate(path) };
    }),
  );
  return (request) => {
    const space = request.indexOf(' ');
    return match(request.slice(0, space), request.slice(space + 1));
  };
}

/** The path of the matched route and its values; otherwise the kind of refusal. */
function outcome(match: RouteMatch<TestRoute>): unknown {
  if (match.kind === 'methodNotAllowed') return match.allowed.join(', ');
  return match.kind === 'found' ? [match.route.path, ...match.values] : match.kind;
}

describe('of several routes the one that says most is taken', () => {
  const match = matcherOf(
    'GET /books/{id}',
    'GET /books/paginated',
    'GET /books/{id}/pages',
    'GET /books/latest/{part}',
    'GET /{shelf}/latest/pages',
    'GET /{shelf}/{book}/{page}/{line}',
    'POST /books/special',
    'GET /v1/x/{a}/{b}/{c}',
    'GET /v1/x/y/{z}',
  );
  it.each([
    ['GET /books/paginated', ['/books/paginated']],
    ['GET /books/paginate', ['/books/{id}', 'paginate']],
    ['GET /books/7', ['/books/{id}', '7']],
    ['GET /books/7/pages', ['/books/{id}/pages', '7']],
    ['GET /books/latest/pages', ['/books/latest/{part}', 'pages']],
    ['GET /books/latest/pages/3', ['/{shelf}/{book}/{page}/{line}', 'books', 'latest', 'pages', '3']],
    ['GET /films/latest/pages', ['/{shelf}/latest/pages', 'films']],
    ['GET /films/latest/other', 'notFound'],
    ['GET /v1/x/y/1', ['/v1/x/y/{z}', '1']],
    ['GET /v1/x/y/1/2', ['/v1/x/{a}/{b}/{c}', 'y', '1', '2']],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });

  it('a literal route of another method does not hide a variable one of this method', () => {
    expect(outcome(match('GET /books/special'))).toEqual(['/books/{id}', 'special']);
    expect(outcome(match('POST /books/special'))).toEqual(['/books/special']);
  });
});

describe('a path that is close to a route is not the route', () => {
  const match = matcherOf('GET /books', 'GET /books/{id}', 'GET /books/{id}/pages', 'GET /verb', 'GET /{a}/x/{b}/d');
  it.each([
    'GET /',
    'GET ',
    'GET books',
    'GET /Books',
    'GET /book',
    'GET /books/',
    'GET //books',
    'GET /books//',
    'GET /books//pages',
    'GET //x/1/d',
    'GET /books/7/',
    'GET /books/7/page',
    'GET /books/7/pages/1',
    'GET /verb:',
    'GET /verb:read',
    'GET /a/x/c',
    'GET /a/x/d',
    'GET /a/y/1/d',
    'GET http://host/books',
  ])('%s', (request) => {
    expect(outcome(match(request))).toBe('notFound');
  });
});

describe('the method decides after the path', () => {
  const match = matcherOf('GET /books', 'POST /books', 'DELETE /books/{id}', 'PATCH /books/{id}', 'POST /books/new');
  it.each([
    ['DELETE /books', 'GET, HEAD, POST'],
    ['get /books', 'GET, HEAD, POST'],
    ['GET /books/7', 'DELETE, PATCH'],
    ['POST /books/7', 'DELETE, PATCH'],
    ['GET /books/new', 'DELETE, PATCH, POST'],
  ])('%s names the methods of the path', (request, allowed) => {
    expect(outcome(match(request))).toBe(allowed);
  });

  it('HEAD is answered by the route of GET', () => {
    expect(outcome(match('HEAD /books'))).toEqual(['/books']);
    expect(outcome(matcherOf('GET /b/{id}')('HEAD /b/1'))).toEqual(['/b/{id}', '1']);
    expect(outcome(match('HEAD /books/7'))).toBe('DELETE, PATCH');
  });
});

describe('a colon belongs to the value', () => {
  const match = matcherOf('GET /books', 'GET /books/{id}', 'GET /books/{id}/read');
  it.each([
    ['GET /books/user:7', ['/books/{id}', 'user:7']],
    ['GET /books/7:read', ['/books/{id}', '7:read']],
    ['GET /books/7:', ['/books/{id}', '7:']],
    ['GET /books/:', ['/books/{id}', ':']],
    ['GET /books/7%3Aread', ['/books/{id}', '7:read']],
    ['GET /books/user:7/read', ['/books/{id}/read', 'user:7']],
    ['GET /books:read', 'notFound'],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });
});

describe('values are percent-decoded', () => {
  const match = matcherOf('GET /one/{id}', 'GET /two/{name}/{id}', 'GET /fixed/x', 'GET /fixed/y~/x');
  it.each([
    ['GET /one/a%20b', ['/one/{id}', 'a b']],
    ['GET /one/a+b', ['/one/{id}', 'a+b']],
    ['GET /one/a%2Bb', ['/one/{id}', 'a+b']],
    ['GET /one/a%2fb', ['/one/{id}', 'a/b']],
    ['GET /one/a%252Fb', ['/one/{id}', 'a%2Fb']],
    ['GET /one/%2F', ['/one/{id}', '/']],
    ['GET /one/%25', ['/one/{id}', '%']],
    ['GET /one/%E2%98%BA', ['/one/{id}', '☺']],
    ['GET /one/%00', ['/one/{id}', '\0']],
    ['GET /one/%2E%2E', ['/one/{id}', '..']],
    ['GET /one/%2A', ['/one/{id}', '*']],
    ['GET /one/%7Bid%7D', ['/one/{id}', '{id}']],
    ['GET /one/%C3%A9t%C3%A9%3F%23', ['/one/{id}', 'été?#']],
    ['GET /two/a%2Fb/c%20d', ['/two/{name}/{id}', 'a/b', 'c d']],
    ['GET /two/a%2Fb', 'notFound'],
    ['GET /on%65/1', ['/one/{id}', '1']],
    ['GET /fixe%64/x', ['/fixed/x']],
    ['GET /fixed/y%7E/x', ['/fixed/y~/x']],
    ['GET /fixed%2Fx', 'notFound'],
    ['GET /one/%', 'malformed'],
    ['GET /one/%2', 'malformed'],
    ['GET /one/%zz', 'malformed'],
    ['GET /one/%ff', 'malformed'],
    ['GET /one/%C3', 'malformed'],
    ['GET /none/%', 'malformed'],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });
});

it('two routes that no request could tell apart are refused at start', () => {
  expect(() => matcherOf('GET /books', 'GET /books')).toThrow('Two routes take GET /books.');
  expect(() => matcherOf('GET /books/{id}', 'GET /books/{name}')).toThrow('Two routes take GET /books/{}.');
});

it('a path made to go wrong ways is refused as fast as any other', () => {
  const branches = Array.from({ length: 200 }, (_, index) => `GET /a/{x}/a/{y}/a/{z}/a/b${index}`);
  const match = matcherOf(...branches, 'GET /a/a/a/a/a/a/a/c');
  const started = performance.now();
  for (let round = 0; round < 1_000; round++) match(`GET /${'a/'.repeat(400)}a`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
