import { expect, test } from 'vitest';
import { readConfig } from '../../../src/app/config.ts';

const good = {
  LAUREL_OIDC_ISSUER: 'https://login.example.com/realms/us',
  LAUREL_OIDC_CLIENT_ID: 'laurel',
  LAUREL_OIDC_CLIENT_SECRET: 's',
  LAUREL_OIDC_REDIRECT_URI: 'https://laurel.example.com/admin/session/oidc/callback',
};
const read = (more: Record<string, string>) => () => readConfig({ ...good, ...more });

test('all four make a provider, none makes none', () => {
  expect(readConfig(good).oidc).toMatchObject({ clientId: 'laurel', issuer: new URL(good.LAUREL_OIDC_ISSUER) });
  expect(readConfig({}).oidc).toBeUndefined();
});

test('a provider on the same machine may be without TLS', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(read({ LAUREL_OIDC_ISSUER: `http://${host}:8090` })).not.toThrow();
  }
});

test.each([
  ['LAUREL_OIDC_ISSUER', 'http://login.example.com'],
  ['LAUREL_OIDC_ISSUER', 'http://localhost.example.com'],
  ['LAUREL_OIDC_ISSUER', 'http://localhost@login.example.com'],
  ['LAUREL_OIDC_ISSUER', 'login.example.com'],
  ['LAUREL_OIDC_REDIRECT_URI', 'http://laurel.example.com/admin/session/oidc/callback'],
  ['LAUREL_OIDC_REDIRECT_URI', 'https://laurel.example.com/console'],
])('%s stops the start as %s', (name, value) => {
  expect(read({ [name]: value })).toThrow(name);
});

test.each(Object.keys(good))('the three others need %s', (name) => {
  expect(read({ [name]: '' })).toThrow(name);
});
