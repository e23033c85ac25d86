import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ok, recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { cookiesOf, elsewhere, settledUser, signIn as signInAs } from './console.ts';

let service: TestService;
/** A clock that only tests change. */
let now: Date;

beforeAll(async () => {
  service = await startService({ clock: () => now, trustForwarded: true });
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => service.close());

const SECOND = 1_000;
const later = (ms: number) => (now = new Date(now.getTime() + ms));
const codeOf = (secret: string, at = now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
const post = (path: string, body: object | undefined, token: string) => service.rest('POST', path, body, token);
const factor = (action: string, body: object, token: string) =>
  post(`/admin/session/second-factor/${action}`, body, token);
const required = { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } };
const refused = { status: 403, body: { code: 'SECOND_FACTOR_REFUSED' } };
const missing = { status: 409, body: { code: 'SECOND_FACTOR_NOT_ENABLED' } };

type Person = Awaited<ReturnType<typeof secured>>;

/** A user with a second factor, confirmed a minute ago, and the session that enabled it. */
async function secured(token = service.adminToken, role?: string) {
  const user = await settledUser(service, token, role);
  const session = user.answer.body.accessToken as string;
  const begun = await ok(factor('begin', { currentPassword: user.password }, session));
  const confirmed = await ok(factor('confirm', { code: codeOf(begun.secret) }, session));
  later(60 * SECOND);
  return { ...user, session, secret: begun.secret as string, codes: confirmed.recoveryCodes as string[] };
}

function signIn(person: Person, secondFactor?: string, more: Parameters<typeof signInAs>[2] = {}) {
  return signInAs(service, person, { ...more, secondFactor });
}

/** The log entries of a person's sign-ins. */
async function notes({ id }: Person): Promise<string> {
  const entries = await recorded(service, id);
  return entries.map(({ note }) => note ?? '').join(' ');
}

describe('switching on', () => {
  test('takes the password and a code, gives ten codes and ends the other sessions; the log says so without a secret', async () => {
    const user = await settledUser(service);
    const other = (await signInAs(service, user)).body.accessToken as string;
    const session = user.answer.body.accessToken as string;
    expect(await factor('begin', { currentPassword: 'wrong' }, session)).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await factor('confirm', { code: '000000' }, session)).toMatchObject(missing);
    const { secret, uri } = await ok(factor('begin', { currentPassword: user.password }, session));
    expect(uri).toContain(`secret=${secret}`);
    expect((await signInAs(service, user)).status).toBe(200);
    expect(await factor('confirm', { code: '000000' }, session)).toMatchObject(refused);
    const confirmed = await ok(factor('confirm', { code: codeOf(secret) }, session));
    expect(new Set(confirmed.recoveryCodes).size).toBe(10);
    expect(confirmed.session.user).toMatchObject({ secondFactorEnabled: true, recoveryCodesLeft: 10 });
    await expect
      .poll(async () => (await service.rest('GET', '/admin/session', undefined, other)).status, { timeout: 5_000 })
      .toBe(401);
    const again = { status: 409, body: { code: 'SECOND_FACTOR_ENABLED' } };
    expect(await factor('begin', { currentPassword: user.password }, session)).toMatchObject(again);
    expect(await factor('confirm', { code: codeOf(secret) }, session)).toMatchObject(again);
    const entries = await recorded(service, user.id);
    expect(entries.map(({ operation }) => operation)).toContain('SessionService.ConfirmSecondFactor');
    for (const hidden of [secret, ...confirmed.recoveryCodes]) expect(JSON.stringify(entries)).not.toContain(hidden);
    expect(await ok(service.rest('GET', `/admin/users/${user.id}`))).toMatchObject({ secondFactorEnabled: true });
  });

  test('again makes another secret, and the one before is none any more', async () => {
    const user = await settledUser(service);
    const session = user.answer.body.accessToken as string;
    const first = await ok(factor('begin', { currentPassword: user.password }, session));
    const second = await ok(factor('begin', { currentPassword: user.password }, session));
    expect(await factor('confirm', { code: codeOf(first.secret) }, session)).toMatchObject(refused);
    await ok(factor('confirm', { code: codeOf(second.secret) }, session));
  });

  test('is of people: a token has no second factor', async () => {
    const needs = { status: 403, body: { code: 'SESSION_REQUIRED' } };
    expect(await factor('begin', { currentPassword: 'any' }, service.adminToken)).toMatchObject(needs);
    expect(await factor('confirm', { code: '000000' }, service.adminToken)).toMatchObject(needs);
    expect(await factor('disable', { currentPassword: 'any', code: '000000' }, service.adminToken)).toMatchObject(
      needs,
    );
  });
});

describe('signing in', () => {
  test('asks for the code only after the right password, and begins nothing without it', async () => {
    const person = await secured();
    const asked = await signIn(person);
    expect(asked).toMatchObject(required);
    expect(asked.headers.get('set-cookie')).toBeNull();
    expect(await signIn({ ...person, password: 'wrong' }, codeOf(person.secret))).toMatchObject({
      status: 401,
      body: { code: 'SIGN_IN_REFUSED' },
    });
    const answer = await signIn(person, codeOf(person.secret));
    expect(answer).toMatchObject({ status: 200, body: { session: { user: { id: person.id } } } });
    expect(await notes(person)).toContain('With a second factor.');
  });

  test('takes the codes of thirty seconds before and after, and none beyond', async () => {
    const person = await secured();
    const at = (steps: number) => codeOf(person.secret, new Date(now.getTime() + steps * 30 * SECOND));
    expect(await signIn(person, at(-2))).toMatchObject(refused);
    expect(await signIn(person, at(2))).toMatchObject(refused);
    expect((await signIn(person, at(-1))).status).toBe(200);
    expect((await signIn(person, at(1))).status).toBe(200);
  });

  test('takes a code once, and none that is older than one that was taken', async () => {
    const person = await secured();
    const [earlier, code] = [codeOf(person.secret, new Date(now.getTime() - 30 * SECOND)), codeOf(person.secret)];
    expect((await signIn(person, code)).status).toBe(200);
    expect(await signIn(person, code)).toMatchObject(refused);
    expect(await signIn(person, earlier)).toMatchObject(refused);
    later(30 * SECOND);
    expect((await signIn(person, codeOf(person.secret))).status).toBe(200);
  });

  test('the code that switched it on does not sign in', async () => {
    const user = await settledUser(service);
    const session = user.answer.body.accessToken as string;
    const { secret } = await ok(factor('begin', { currentPassword: user.password }, session));
    const code = codeOf(secret);
    await ok(factor('confirm', { code }, session));
    expect(await signInAs(service, user, { secondFactor: code })).toMatchObject(refused);
  });

  test('takes a recovery code once, however it is written; of five who send it at once one gets in', async () => {
    const person = await secured();
    const [first = '', second = ''] = person.codes;
    const raced = await Promise.all(Array.from({ length: 5 }, () => signIn(person, first, { from: elsewhere() })));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    const answer = await signIn(person, ` ${second.toUpperCase().replaceAll('-', ' ')} `, { from: elsewhere() });
    expect(answer).toMatchObject({ status: 200, body: { session: { user: { recoveryCodesLeft: 8 } } } });
    expect(await notes(person)).toContain('With a recovery code; 8 are left.');
    expect(await signIn(person, second)).toMatchObject(refused);
  });

  test('slows wrong codes down, lets a known browser in meanwhile, and tells the owner of them', async () => {
    const person = await secured();
    const known = cookiesOf(await signIn(person, codeOf(person.secret)));
    later(60 * SECOND);
    for (let time = 1; time <= 5; time += 1) {
      expect(await signIn(person, '000000', { from: elsewhere() })).toMatchObject(refused);
    }
    const locked = await signIn(person, codeOf(person.secret), { from: elsewhere() });
    expect(locked).toMatchObject({ status: 429, body: { code: 'USER_LOCKED' } });
    expect(locked.body.message).toContain('wrong codes');
    const owner = await signIn(person, codeOf(person.secret), { cookie: known });
    expect(owner).toMatchObject({ status: 200, body: { session: { user: { failedSignIns: 5 } } } });
    later(30 * SECOND);
    expect((await signIn(person, codeOf(person.secret), { from: elsewhere() })).status).toBe(200);
  });

  test('a disabled user is refused as such, and no code is used up', async () => {
    const person = await secured();
    const { version } = await ok(service.rest('GET', `/admin/users/${person.id}`));
    await ok(service.rest('PATCH', `/admin/users/${person.id}`, { disabled: true, version }));
    const [code] = person.codes;
    expect(await signIn(person, code)).toMatchObject({ status: 403, body: { code: 'USER_DISABLED' } });
    await ok(service.rest('PATCH', `/admin/users/${person.id}`, { disabled: false, version: version + 1 }));
    expect((await signIn(person, code)).status).toBe(200);
  });

  test('by a secret whose key is lost is refused in words that say what to do; a recovery code still gets in', async () => {
    const person = await secured();
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`update console_user set second_factor_sealed = 'v1.00000000.AAAA' where client_id = $1 and id = $2`, [
        service.clientId,
        person.id,
      ]),
    );
    const answer = await signIn(person, codeOf(person.secret));
    expect(answer).toMatchObject(refused);
    expect(answer.body.message).toContain('recovery code');
    expect((await signIn(person, person.codes[0])).status).toBe(200);
  });

  test('a secret that was copied from another user does not open', async () => {
    const [person, other] = [await secured(), await secured()];
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `update console_user u set second_factor_sealed = o.second_factor_sealed from console_user o
          where u.client_id = $1 and u.id = $2 and o.client_id = $1 and o.id = $3`,
        [service.clientId, person.id, other.id],
      ),
    );
    expect(await signIn(person, codeOf(other.secret))).toMatchObject(refused);
  });
});

describe('switching off', () => {
  test('takes password and code; then the password alone signs in, and nothing of the factor is kept', async () => {
    const person = await secured();
    const { session, password: currentPassword } = person;
    const off = (body: object) => factor('disable', body, session);
    expect(await off({ currentPassword: 'wrong', code: codeOf(person.secret) })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await off({ currentPassword, code: '000000' })).toMatchObject(refused);
    const { session: left } = await ok(off({ currentPassword, code: codeOf(person.secret) }));
    expect(left.user).toMatchObject({ secondFactorEnabled: false, recoveryCodesLeft: 0 });
    expect((await signIn(person)).status).toBe(200);
    expect(await off({ currentPassword, code: codeOf(person.secret) })).toMatchObject(missing);
    const kept = await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select 1 from console_user where id = $1 and second_factor_sealed is not null', [person.id]),
    );
    expect(kept).toEqual([]);
  });
});

describe('a colleague who keeps users', () => {
  test('switches it off for somebody who is locked out; sessions end, the log says so, the password stays', async () => {
    const person = await secured();
    const reset = () => post(`/admin/users/${person.id}/reset-second-factor`, undefined, service.adminToken);
    expect(await ok(reset())).toMatchObject({ id: person.id, secondFactorEnabled: false });
    await expect
      .poll(async () => (await service.rest('GET', '/admin/session', undefined, person.session)).status, {
        timeout: 5_000,
      })
      .toBe(401);
    expect((await signIn(person)).status).toBe(200);
    expect(await reset()).toMatchObject(missing);
    const entries = await recorded(service, person.id);
    expect(entries.map(({ operation }) => operation)).toContain('ConsoleUserAdminService.ResetConsoleUserSecondFactor');
  });

  test('cannot do it for oneself, whose open session would be enough', async () => {
    const person = await secured();
    const answer = await post(`/admin/users/${person.id}/reset-second-factor`, undefined, person.session);
    expect(answer).toMatchObject({ status: 409, body: { code: 'OWN_USER' } });
    expect(await signIn(person)).toMatchObject(required);
  });

  test('of another client finds nobody', async () => {
    const [person, stranger] = [await secured(), await service.newTenant()];
    const answer = await post(`/admin/users/${person.id}/reset-second-factor`, undefined, stranger.adminToken);
    expect(answer).toMatchObject({ status: 404, body: { code: 'CONSOLE_USER_NOT_FOUND' } });
    expect(await signIn(person)).toMatchObject(required);
  });
});
