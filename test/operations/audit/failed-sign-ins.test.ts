import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientsWithFailedSignIns, reportFailedSignIns } from '../../../src/clients/sign-in/failed-sign-ins.ts';
import { startService, type TestService } from '../../support/service.ts';
import { elsewhere, newUser, type NewUser, signIn } from '../clients/console.ts';

const HOUR = 3_600_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

let service: TestService;
/** The middle of an hour; tests change it. */
let now: Date;

beforeAll(async () => {
  service = await startService({ clock: () => now, trustForwarded: true });
});
beforeEach(() => {
  now = new Date(Math.floor(Date.now() / HOUR) * HOUR + HOUR / 2);
});
afterAll(() => service.close());

async function failedOf({ id }: NewUser, token = service.adminToken) {
  const conditions = [
    { field: 'operation', value: 'SignInFailed' },
    { field: 'actorType', value: 'UNKNOWN' },
    { field: 'resourceId', value: [id] },
  ];
  const query = `page=1&limit=100&filters=${encodeURIComponent(JSON.stringify({ filters: conditions }))}`;
  const { status, body } = await service.rest('GET', `/admin/audit/paginated?${query}`, undefined, token);
  expect(status).toBe(200);
  return body.rows;
}

const guess = (user: Omit<NewUser, 'id'>, from: string) => signIn(service, { ...user, password: 'wrong' }, { from });
const report = (clientId = service.clientId) => reportFailedSignIns(service.db, clientId, now);
const due = () => service.db.systemUnitOfWork((uow) => clientsWithFailedSignIns(uow, now));
const stored = (sql: string) =>
  service.db.systemUnitOfWork(async (uow) => (await uow.query<{ text: string }>(sql)).map(({ text }) => text));

test('the first wrong password of an hour is in the audit log at once: whose user, from where, and by nobody known', async () => {
  const user = await newUser(service);
  await guess(user, '203.0.113.7');
  expect(await failedOf(user)).toEqual([
    expect.objectContaining({
      actorType: 'UNKNOWN',
      actorName: '203.0.113.7',
      operation: 'SessionService.SignInFailed',
      resourceType: 'consoleUser',
      resourceId: user.id,
      note: 'A wrong password.',
    }),
  ]);
  expect((await failedOf(user))[0].actorId).toBeUndefined();
});

test('further ones of the hour make one more entry, with their number, once it is over', async () => {
  const user = await newUser(service);
  const [home, cafe] = [elsewhere(), elsewhere()];
  for (const from of [home, home, home, cafe]) await guess(user, from);
  await report();
  expect(await failedOf(user)).toHaveLength(2);
  now = new Date(now.getTime() + HOUR);
  expect(await due()).toContain(service.clientId);
  await Promise.all([report(), report()]);
  expect((await failedOf(user)).map((row: { note: string; actorName: string }) => [row.actorName, row.note])).toEqual([
    [home, expect.stringMatching(/^3 wrong passwords in the hour from 20.*:00Z\.$/)],
    [cafe, 'A wrong password.'],
    [home, 'A wrong password.'],
  ]);
  expect(await due()).not.toContain(service.clientId);
  expect(await report()).toBe(0);
});

test('those that came while the clock was a year ahead are reported once it is right', async () => {
  const user = await newUser(service);
  const [right, from] = [now, elsewhere()];
  now = new Date(now.getTime() + 365 * 24 * HOUR);
  for (let time = 1; time <= 3; time += 1) await guess(user, from);
  now = right;
  expect(await due()).toContain(service.clientId);
  await report();
  const notes = (await failedOf(user)).map(({ note }: { note: string }) => note);
  expect(notes).toContainEqual(expect.stringMatching(/^3 wrong passwords/));
  expect(await due()).not.toContain(service.clientId);
});

test('of guesses sent at once from one network there is one entry and then their number', async () => {
  const user = await newUser(service);
  const guesses = Array.from({ length: 8 }, (_, index) => guess(user, `2001:db8:1:2::${index + 1}`));
  const looked = (await Promise.all(guesses)).filter(({ body }) => body.code === 'SIGN_IN_REFUSED').length;
  expect(await failedOf(user)).toHaveLength(1);
  now = new Date(now.getTime() + HOUR);
  await report();
  expect((await failedOf(user))[0]).toMatchObject({
    actorName: '2001:db8:1:2::/64',
    note: expect.stringContaining(`${looked} wrong passwords`),
  });
});

test('what was typed is kept nowhere, be it a password in the field of the e-mail, and belongs to no client', async () => {
  const typed = 'correct horse battery staple';
  const from = elsewhere();
  await guess({ email: typed, password: '' }, from);
  await guess({ email: typed, password: '' }, from);
  const texts = [
    ...(await stored('select audit_entry::text as text from audit_entry')),
    ...(await stored('select failed_sign_in::text as text from failed_sign_in')),
  ];
  expect(texts.filter((text) => text.includes(typed))).toEqual([]);
  expect(texts.filter((text) => text.includes(from))).toHaveLength(1);
  now = new Date(now.getTime() + HOUR);
  expect(await due()).toContain(NOBODY);
  expect(await report(NOBODY)).toBeGreaterThanOrEqual(2);
  expect(await stored(`select id::text as text from audit_entry where client_id = '${NOBODY}'`)).toEqual([]);
});

test('another client sees none of it, also where its user has the same e-mail', async () => {
  const [user, other] = [await newUser(service), await service.newTenant()];
  await guess(user, elsewhere());
  expect(await failedOf(user, other.adminToken)).toEqual([]);
});

test('the right password leaves no such entry', async () => {
  const user = await newUser(service);
  expect((await signIn(service, user)).status).toBe(200);
  expect(await failedOf(user)).toEqual([]);
});
