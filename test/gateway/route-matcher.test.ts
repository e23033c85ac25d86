import { describe, expect, it } from 'vitest';
import { parsePathTemplate } from '../../src/gateway/path-template.ts';
import { type RouteMatch, routeMatcher } from '../../src/gateway/route-matcher.ts';

type TestRoute = {
  readonly httpMethod: string;
  readonly path: string;
  readonly template: ReturnType<typeof parsePathTemplate>;
};

/** A matcher over routes written `GET /books/{id}`. */
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

/** The path of the route that was found and its values; otherwise the kind of refusal. */
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
    'GET /{rest=**}',
    'GET /books/{id}/{tail=**}',
    'POST /books/special',
    'GET /v1/x/*/{b}/{c=**}',
    'GET /v1/x/y/{z}',
  );
  it.each([
    ['GET /books/paginated', ['/books/paginated']],
    ['GET /books/paginate', ['/books/{id}', 'paginate']],
    ['GET /books/7', ['/books/{id}', '7']],
    ['GET /books/7/pages', ['/books/{id}/pages', '7']],
    ['GET /books/latest/pages', ['/books/latest/{part}', 'pages']],
    ['GET /books/latest/pages/3', ['/books/{id}/{tail=**}', 'latest', 'pages/3']],
    ['GET /films/latest/pages', ['/{shelf}/latest/pages', 'films']],
    ['GET /films/latest/other', ['/{rest=**}', 'films/latest/other']],
    ['GET /books', ['/{rest=**}', 'books']],
    ['GET /v1/x/y/1', ['/v1/x/y/{z}', '1']],
    ['GET /v1/x/y/1/2', ['/v1/x/*/{b}/{c=**}', '1', '2']],
    ['GET /v1/x/y/1/2/3', ['/v1/x/*/{b}/{c=**}', '1', '2/3']],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });

  it('a literal route of another method does not hide a variable one of this method', () => {
    expect(outcome(match('GET /books/special'))).toEqual(['/books/{id}', 'special']);
    expect(outcome(match('POST /books/special'))).toEqual(['/books/special']);
  });
});

describe('a path that is close to a route is not the route', () => {
  const match = matcherOf(
    'GET /books',
    'GET /books/{id}',
    'GET /books/{id}/pages',
    'GET /verb',
    'GET /a/{name=b/*/c}/d',
  );
  it.each([
    'GET /',
    'GET ',
    'GET books',
    'GET /Books',
    'GET /book',
    'GET /books/',
    'GET //books',
    'GET /books//pages',
    'GET /books/7/',
    'GET /books/7/page',
    'GET /books/7/pages/1',
    'GET /verb:',
    'GET /verb:read',
    'GET /a/b/c/d',
    'GET /a/b/1/c',
    'GET /a/x/1/c/d',
    'GET http://host/books',
  ])('%s', (request) => {
    expect(outcome(match(request))).toBe('notFound');
  });
});

describe('the method decides after the path', () => {
  const match = matcherOf(
    'GET /books',
    'POST /books',
    'DELETE /books/{id}',
    'PATCH /books/{id}',
    'POST /books/{id}:read',
    '* /any',
  );
  it.each([
    ['DELETE /books', 'GET, HEAD, POST'],
    ['get /books', 'GET, HEAD, POST'],
    ['GET /books/7', 'DELETE, PATCH'],
    ['POST /books/7', 'DELETE, PATCH'],
    ['GET /books/7:read', 'DELETE, PATCH, POST'],
  ])('%s names the methods of the path', (request, allowed) => {
    expect(outcome(match(request))).toBe(allowed);
  });

  it('HEAD is answered by the route of GET', () => {
    expect(outcome(match('HEAD /books'))).toEqual(['/books']);
    expect(outcome(matcherOf('GET /b/{id}')('HEAD /b/1'))).toEqual(['/b/{id}', '1']);
    expect(outcome(match('HEAD /books/7'))).toBe('DELETE, PATCH');
  });

  it('a custom "*" takes every method', () => {
    expect(outcome(match('PURGE /any'))).toEqual(['/any']);
  });
});

describe('a colon starts a verb only where a route has that verb', () => {
  const match = matcherOf(
    'GET /books/{id}',
    'GET /books/{id}:read',
    'GET /books/{id}:read:twice',
    'GET /books:export',
    'GET /files/{path=**}:move',
    'GET /files/{path=**}',
    'GET /a/{x}/b',
    'GET /c:%2c',
  );
  it.each([
    ['GET /books/7:read', ['/books/{id}:read', '7']],
    ['GET /books/7:read:twice', ['/books/{id}:read:twice', '7']],
    ['GET /books/user:7', ['/books/{id}', 'user:7']],
    ['GET /books/user:7:read', ['/books/{id}:read', 'user:7']],
    ['GET /books/7:READ', ['/books/{id}', '7:READ']],
    ['GET /books/7:', ['/books/{id}', '7:']],
    ['GET /books/7%3Aread', ['/books/{id}', '7:read']],
    ['GET /books/7:re%61d', ['/books/{id}:read', '7']],
    ['GET /books/:read', ['/books/{id}', ':read']],
    ['GET /books:export', ['/books:export']],
    ['GET /files/a/b:move', ['/files/{path=**}:move', 'a/b']],
    ['GET /files/a/b:copy', ['/files/{path=**}', 'a/b:copy']],
    ['GET /files:move', ['/files/{path=**}:move', '']],
    ['GET /a/1:2/b', ['/a/{x}/b', '1:2']],
    ['GET /c:,', ['/c:%2c']],
    ['GET /c:%2C', ['/c:%2c']],
    ['GET /books:other', 'notFound'],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });
});

describe('`**` takes all that is left', () => {
  const match = matcherOf('GET /files/{path=**}', 'GET /v1/{name=x/**}', 'GET /t/**:slash');
  it.each([
    ['GET /files', ['/files/{path=**}', '']],
    ['GET /files/', ['/files/{path=**}', '']],
    ['GET /files/a', ['/files/{path=**}', 'a']],
    ['GET /files/a/b/c', ['/files/{path=**}', 'a/b/c']],
    ['GET /files/a//b/', ['/files/{path=**}', 'a//b/']],
    ['GET /v1/x', ['/v1/{name=x/**}', 'x']],
    ['GET /v1/x/y/z', ['/v1/{name=x/**}', 'x/y/z']],
    ['GET /v1/y', 'notFound'],
    ['GET /t/:slash', ['/t/**:slash']],
    ['GET /t/a/b:slash', ['/t/**:slash']],
    ['GET /t/a/b', 'notFound'],
  ])('%s', (request, expected) => {
    expect(outcome(match(request))).toEqual(expected);
  });
});

describe('values are percent-decoded', () => {
  const match = matcherOf(
    'GET /one/{id}',
    'GET /two/{name=a/*}',
    'GET /all/{path=**}',
    'GET /lit%2Feral/x',
    'GET /t%C3%A4g',
  );
  it.each([
    ['GET /one/a%20b', ['/one/{id}', 'a b']],
    ['GET /one/a+b', ['/one/{id}', 'a+b']],
    ['GET /one/a%2Bb', ['/one/{id}', 'a+b']],
    ['GET /one/a%2fb', ['/one/{id}', 'a/b']],
    ['GET /one/a%252Fb', ['/one/{id}', 'a%2Fb']],
    ['GET /one/%E2%98%BA', ['/one/{id}', '☺']],
    ['GET /one/%00', ['/one/{id}', '\0']],
    ['GET /one/%2E%2E', ['/one/{id}', '..']],
    ['GET /one/%C3%A9t%C3%A9%3F%23', ['/one/{id}', 'été?#']],
    ['GET /two/a/b%20c', ['/two/{name=a/*}', 'a/b c']],
    ['GET /two/a/b%2Fc', ['/two/{name=a/*}', 'a/b%2Fc']],
    ['GET /two/a/b%2fc%2A', ['/two/{name=a/*}', 'a/b%2fc*']],
    ['GET /two/a%2Fb', 'notFound'],
    ['GET /all/%2A/%2f/x%3Ay', ['/all/{path=**}', '*/%2f/x:y']],
    ['GET /all/%25', ['/all/{path=**}', '%']],
    ['GET /on%65/1', ['/one/{id}', '1']],
    ['GET /lit%2feral/x', ['/lit%2Feral/x']],
    ['GET /lit/eral/x', 'notFound'],
    ['GET /t%c3%a4g', ['/t%C3%A4g']],
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
  expect(() => matcherOf('GET /books/{id}', 'GET /books/{name}')).toThrow('Two routes take GET /books/*');
  expect(() => matcherOf('GET /a/{b=c/*}:x', 'GET /a/c/{d}:x')).toThrow('Two routes take GET /a/c/*:x');
});

it('a path made to go wrong ways is refused as fast as any other', () => {
  const branches = Array.from({ length: 200 }, (_, index) => `GET /a/{x}/a/{y}/a/{z}/a/b${index}`);
  const match = matcherOf(...branches, 'GET /a/a/a/a/a/a/a/c');
  const started = performance.now();
  for (let round = 0; round < 1_000; round++) match(`GET /${'a/'.repeat(400)}a`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
