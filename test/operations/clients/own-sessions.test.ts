import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { ok, recorded } from '../../support/administration.ts';
import { newUser, settledUser, signIn } from './console.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ trustForwarded: true });
});
afterAll(async () => service.close());

const own = async (token: string) => (await ok(service.rest('GET', '/admin/session/sessions', undefined, token))).rows;

/** A person who has signed in three times: once to replace the first password, and then from two places. */
async function twice() {
  const user = await settledUser(service);
  const first = user.answer.body.accessToken as string;
  const second = (await signIn(service, user, { from: '203.0.113.9' })).body.accessToken as string;
  const [here, there] = await own(second);
  return { user, first, second, here, there };
}

const isRefused = (token: string) =>
  vi.waitFor(
    async () => expect((await service.rest('GET', '/admin/session', undefined, token)).status).toBe(401),
    5_000,
  );

test('everybody sees the own sessions, with browser, address and times, and which one this is', async () => {
  const { user, second, here } = await twice();
  const sessions = await own(second);
  expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false, false]);
  expect(here).toMatchObject({ address: '203.0.113.9', userAgent: 'node', current: true });
  expect(Date.parse(here.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(here.createdAt));
  const stranger = await settledUser(service);
  expect(JSON.stringify(await own(stranger.answer.body.accessToken))).not.toContain(here.id);
  const byAdmin = await ok(service.rest('GET', `/admin/users/${user.id}/sessions`));
  expect(byAdmin.rows.map(({ id }: { id: string }) => id)).toEqual(sessions.map(({ id }: { id: string }) => id));
});

test('an own session is ended within a second, once, and the log says so; the others go on', async () => {
  const { user, first, second, there } = await twice();
  const end = () => service.rest('POST', `/admin/session/sessions/${there.id}/end`, undefined, second);
  await ok(end());
  await isRefused(first);
  expect(await own(second)).toHaveLength(2);
  expect(await end()).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  expect((await recorded(service, user.id)).map(({ operation }) => operation)).toContain('SessionService.EndSession');
});

test("nobody ends somebody else's session as an own one", async () => {
  const { there, first } = await twice();
  const stranger = await settledUser(service);
  const path = `/admin/session/sessions/${there.id}/end`;
  const answer = await service.rest('POST', path, undefined, stranger.answer.body.accessToken);
  expect(answer).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
  expect(await own(first)).toHaveLength(3);
});

test('an administrator ends all sessions of a user of the own client, and the log says how many', async () => {
  const { user, first, second } = await twice();
  const end = (token?: string) => service.rest('POST', `/admin/users/${user.id}/end-sessions`, undefined, token);
  const stranger = await service.newTenant();
  expect(await end(stranger.adminToken)).toMatchObject({ status: 404, body: { code: 'CONSOLE_USER_NOT_FOUND' } });
  expect((await ok(end())).ended).toBe(3);
  await isRefused(first);
  await isRefused(second);
  expect((await ok(end())).ended).toBe(0);
  expect((await recorded(service, user.id)).at(-2)?.note).toBe('3 sessions were open.');
});

test('an access token has no sessions', async () => {
  for (const [method, path] of [
    ['GET', '/admin/session/sessions'],
    ['POST', `/admin/session/sessions/${crypto.randomUUID()}/end`],
  ] as const) {
    const answer = await service.rest(method, path);
    expect(answer).toMatchObject({ status: 403, body: { code: 'SESSION_REQUIRED' } });
  }
});

test('a common password cannot be chosen, and the answer says what to choose instead', async () => {
  const user = await newUser(service);
  const { body } = await signIn(service, user);
  // The second password is an obvious guess for the e-mail ana.1@example.com.
  for (const newPassword of ['Password1234', 'Ana.Example.com-1', 'laurel-2026!']) {
    const change = { currentPassword: user.password, newPassword };
    const answer = await service.rest('POST', '/admin/session/change-password', change, body.accessToken);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(answer.body.message).toMatch(/four or more words/);
  }
  await signIn(service, user).then(({ status }) => expect(status).toBe(200));
});
