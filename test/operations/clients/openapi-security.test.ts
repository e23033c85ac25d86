import { expect, test } from 'vitest';
import { setSessionCookie } from '../../../src/clients/sessions/session-cookie.ts';
import { openapi } from '../../contract/support/openapi.ts';

test('OpenAPI says which operations need no bearer token, and what they take instead', () => {
  const cookies = [{ sessionCookie: [] }, { sessionCookieWithoutTls: [] }];
  const orToken = JSON.stringify([{ bearer: [] }, { accountToken: [] }]);
  const stated = Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]) =>
      security === undefined || JSON.stringify(security) === orToken ? [] : [[`${method} ${path}`, security] as const],
    ),
  );
  expect(Object.fromEntries(stated)).toEqual({
    'post /admin/session/sign-in': [],
    'post /admin/session/refresh': cookies,
    'post /admin/session/sign-out': [...cookies, { bearer: [] }, {}],
    'get /admin/session/methods': [],
  });
});

test.each([
  ['sessionCookie', 'host'],
  ['sessionCookieWithoutTls', 'plain'],
] as const)('the cookie of %s is called as the service calls it', (scheme, site) => {
  const responseHeader = new Headers();
  const moment = new Date(0);
  setSessionCookie({ requestHeader: new Headers(), responseHeader, site }, 'token', moment, moment);
  const [name] = (responseHeader.get('set-cookie') ?? '').split('=');
  expect(openapi.components.securitySchemes[scheme]).toMatchObject({ type: 'apiKey', in: 'cookie', name });
});
