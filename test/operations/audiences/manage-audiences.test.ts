import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const path = (id: string) => `/admin/audiences/${id}`;
const newAudience = (body: object = {}) =>
  ok(service.rest('POST', '/admin/audiences', { name: 'Friends', kind: 'MANUAL', ...body }));

async function newMember(audienceId: string, account: object): Promise<string> {
  const { id } = await ok(service.rest('POST', '/accounts', account));
  await ok(service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [id] }));
  return id;
}

describe('an update', () => {
  test('replaces name and description, raises the version, and is recorded', async () => {
    const { id, version } = await newAudience({ description: 'From the pilot.' });
    const updated = await ok(service.rest('PUT', path(id), { version, name: 'Family' }));
    expect(updated).toMatchObject({ id, name: 'Family', description: '', kind: 'MANUAL', version: version + 1 });
    expect((await service.rest('GET', path(id))).body).toEqual({ ...updated, memberCount: 0 });
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'AudienceAdminService.UpdateAudience',
      before: { name: 'Friends', description: 'From the pilot.' },
      after: { name: 'Family', description: '' },
    });
  });

  test('by two editors at once tells the second', async () => {
    const { id, version } = await newAudience();
    await expectOneConflict((name) => service.rest('PUT', path(id), { version, name }));
  });

  test('is refused without a version or a name, for an unknown audience, and for that of another client', async () => {
    const { id, version } = await newAudience();
    expect((await service.rest('PUT', path(id), { name: 'x' })).status).toBe(400);
    expect((await service.rest('PUT', path(id), { version })).status).toBe(400);
    const unknown = { status: 404, body: { code: 'AUDIENCE_NOT_FOUND' } };
    expect(await service.rest('PUT', path(newId()), { version, name: 'x' })).toMatchObject(unknown);
    const { adminToken } = await service.newTenant();
    expect(await service.rest('PUT', path(id), { version, name: 'x' }, adminToken)).toMatchObject(unknown);
  });
});

describe('members', () => {
  test('are listed by page and by filter, and counted', async () => {
    const { id } = await newAudience();
    const ada = await newMember(id, { externalId: 'ada-1', email: 'ada@example.com', name: 'Ada' });
    const bob = await newMember(id, { externalId: 'bob-1', email: 'bob@example.com' });
    await newMember((await newAudience()).id, { externalId: 'ada-2' });
    const list = (query: string) => ok(service.rest('GET', `${path(id)}/members/paginated?${query}`));
    const ids = (page: { rows: { account: { id: string } }[] }) => page.rows.map(({ account }) => account.id);

    const first = await list(pageQuery({}, 1));
    expect(first).toMatchObject({ next: true, totalRows: 2, rows: [{ account: { externalId: 'ada-1' } }] });
    expect(first.rows[0].joinedAt).toBeTruthy();
    expect(ids(await list(pageQuery({}, 1, 2)))).toEqual([bob]);
    expect(ids(await list(pageQuery({ externalId: 'ADA' })))).toEqual([ada]);
    expect(ids(await list(pageQuery({ email: 'bob@' })))).toEqual([bob]);
    expect((await service.rest('GET', path(id))).body.memberCount).toBe(2);
  });

  test('who were deleted are neither listed nor counted', async () => {
    const { id } = await newAudience();
    const gone = await newMember(id, {});
    await ok(service.rest('DELETE', `/accounts/${gone}`));
    expect((await ok(service.rest('GET', `${path(id)}/members/paginated?${pageQuery()}`))).rows).toEqual([]);
    expect((await service.rest('GET', path(id))).body.memberCount).toBe(0);
  });

  test('of an audience for EVERYONE are all accounts', async () => {
    const tenant = await service.newTenant();
    const { adminToken } = tenant;
    await service.rest('POST', '/accounts', { externalId: 'here' }, tenant.apiKey);
    const { id } = await ok(service.rest('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }, adminToken));
    const page = await ok(service.rest('GET', `${path(id)}/members/paginated?${pageQuery()}`, undefined, adminToken));
    expect(page).toMatchObject({ totalRows: 1, rows: [{ account: { externalId: 'here' } }] });
    expect((await service.rest('GET', path(id), undefined, adminToken)).body.memberCount).toBe(1);
  });

  test('of an unknown audience, or of another client, are a 404', async () => {
    const { id } = await newAudience();
    const { adminToken } = await service.newTenant();
    const members = (audienceId: string, token?: string) =>
      service.rest('GET', `${path(audienceId)}/members/paginated?${pageQuery()}`, undefined, token);
    expect((await members(newId())).body.code).toBe('AUDIENCE_NOT_FOUND');
    expect((await members(id, adminToken)).body.code).toBe('AUDIENCE_NOT_FOUND');
  });
});

test("an account's audiences are those it was assigned to and those for everyone", async () => {
  const tenant = await service.newTenant();
  const admin = (method: string, url: string, body?: object) => ok(service.rest(method, url, body, tenant.adminToken));
  const [manual] = [
    await admin('POST', '/admin/audiences', { name: 'Friends', kind: 'MANUAL' }),
    await admin('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' }),
    await admin('POST', '/admin/audiences', { name: 'Others', kind: 'MANUAL' }),
  ];
  const { id } = await admin('POST', '/accounts', { externalId: 'ada' });
  await admin('POST', `/gamification/audiences/${manual.id}/accounts/assign`, { accountIds: [id] });
  const names = (audiences: { name: string }[]) => audiences.map(({ name }) => name);
  expect(names(await admin('GET', `/admin/accounts/${id}/audiences`))).toEqual(['All', 'Friends']);
  expect(names(await admin('GET', '/admin/accounts/ada/audiences?idType=EXTERNAL'))).toEqual(['All', 'Friends']);
  const unknown = await service.rest('GET', '/admin/accounts/eve/audiences?idType=EXTERNAL');
  expect(unknown).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
  const foreign = await service.rest('GET', `/admin/accounts/${id}/audiences`);
  expect(foreign).toMatchObject({ status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } });
});

describe('a removal', () => {
  test('hides the audience, except from lists that ask for deleted ones; a repeat finds nothing', async () => {
    const { id } = await newAudience({ name: 'Short-lived' });
    await ok(service.rest('DELETE', path(id)));
    expect(await service.rest('DELETE', path(id))).toMatchObject({ status: 404, body: { code: 'AUDIENCE_NOT_FOUND' } });
    const list = async (includeDeleted: boolean) => {
      const filters = JSON.stringify({ filters: [{ field: 'id', value: id }], includeDeleted });
      return (await ok(service.rest('GET', `/admin/audiences/paginated?page=1&limit=1&filters=${filters}`))).totalRows;
    };
    expect(await list(false)).toBe(0);
    expect(await list(true)).toBe(1);
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'AudienceAdminService.DeleteAudience',
      before: { name: 'Short-lived' },
      after: null,
    });
  });

  test('is refused with the names of the campaigns that address it', async () => {
    const { audienceId } = await newGame(service, { campaign: { name: 'Spring' }, activate: false });
    expect(await service.rest('DELETE', path(audienceId))).toMatchObject({
      status: 409,
      body: { code: 'AUDIENCE_IN_USE', message: expect.stringContaining(`campaign 'Spring'`) },
    });
    expect((await service.rest('GET', path(audienceId))).status).toBe(200);
  });

  test('of what belongs to another client finds nothing', async () => {
    const { id } = await newAudience();
    const { adminToken } = await service.newTenant();
    expect((await service.rest('DELETE', path(id), undefined, adminToken)).status).toBe(404);
  });
});
