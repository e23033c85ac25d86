// The support team changes an account: once per operation id, and with the reason in the audit log.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok, recorded } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
let account: string;
let names = 0;

beforeAll(async () => (service = await startService()));
beforeEach(async () => {
  names += 1;
  ({ id: account } = await post('/accounts', {
    externalId: `ada-${names}`,
    email: `ada${names}@example.com`,
    name: 'Ada',
  }));
});
afterAll(() => service.close());

const post = (path: string, body: object = {}) => ok(service.rest('POST', path, body));
const act = (path: string, body: object) => service.rest('POST', path, { reason: 'Asked by phone.', ...body });
const refusal = (status: number, code: string) => ({ status, body: { code } });
const onAccount = (path: string) => `/admin/accounts/${account}/${path}`;

describe('an account that support edits', () => {
  test('is changed in what is sent, and the log has the names of the fields without their values', async () => {
    const sent = { email: 'grace@example.com', name: 'Grace' };
    expect((await act(onAccount('edit'), { account: sent })).body).toMatchObject(sent);
    expect((await act(onAccount('edit'), { account: {}, updateMask: 'name' })).body).not.toHaveProperty('name');
    const entries = await recorded(service, account);
    expect(entries).toMatchObject([{ note: 'email, name: Asked by phone.' }, { note: 'name: Asked by phone.' }]);
    expect(JSON.stringify(entries)).not.toMatch(/grace/i);
  });

  test('that is so already is not recorded; a taken external id and a bad address are refused', async () => {
    expect((await act(onAccount('edit'), { account: { name: 'Ada' } })).status).toBe(200);
    await post('/accounts', { externalId: `taken-${names}` });
    const taken = await act(onAccount('edit'), { account: { externalId: `taken-${names}` } });
    expect(taken).toMatchObject(refusal(409, 'ACCOUNT_ALREADY_EXISTS'));
    expect(await act(onAccount('edit'), { account: { email: 'nobody' } })).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await recorded(service, account)).toEqual([]);
  });
});

const newAudience = async (name = 'Regulars', kind = 'MANUAL') => (await post('/admin/audiences', { name, kind })).id;

describe('the audiences of an account', () => {
  test('are joined and left in one step, all or none, and the log names them', async () => {
    const [regulars, guests] = [await newAudience('Regulars'), await newAudience('Guests')];
    const change = (body: object) => act(onAccount('audiences/change'), body);
    await ok(change({ joinAudienceIds: [guests] }));
    const { body } = await change({ joinAudienceIds: [regulars], leaveAudienceIds: [guests] });
    const ids = body.audiences.map(({ id }: { id: string }) => id);
    expect(ids).toContain(regulars);
    expect(ids).not.toContain(guests);
    expect((await recorded(service, account)).map(({ note }) => note)).toEqual([
      '+Guests: Asked by phone.',
      '+Regulars, -Guests: Asked by phone.',
    ]);
    const unknown = await change({ leaveAudienceIds: [regulars, newId()] });
    expect(unknown).toMatchObject(refusal(404, 'AUDIENCE_NOT_FOUND'));
    expect((await ok(service.rest('GET', `/admin/audiences/${regulars}`))).memberCount).toBe(1);
    expect((await change({ joinAudienceIds: [regulars] })).status).toBe(200);
    expect(await recorded(service, account)).toHaveLength(2);
  });

  test('of everyone cannot be joined, none at all is no change, and one is not joined and left', async () => {
    const change = (body: object) => act(onAccount('audiences/change'), body);
    const everyone = await newAudience('All', 'EVERYONE');
    expect(await change({ joinAudienceIds: [everyone] })).toMatchObject(refusal(409, 'AUDIENCE_NOT_MANUAL'));
    expect(await change({})).toMatchObject(refusal(400, 'BAD_REQUEST'));
    const id = await newAudience();
    expect(await change({ joinAudienceIds: [id], leaveAudienceIds: [id] })).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });
});
