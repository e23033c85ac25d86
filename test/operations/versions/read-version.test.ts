import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../../support/game.ts';
import { ok } from '../../support/administration.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body);
const create = (path: string, body: unknown) => ok(admin('POST', path, body));

let made = 0;
const name = () => `Thing ${++made}`;

/** An operation on a definition: the path of its read, the creation of a suitable resource, and the call. */
type Case = {
  readonly make: () => Promise<{ readonly id: string; readonly version?: number }>;
  readonly at: string;
  readonly call: 'DELETE' | `/${string}`;
};

const draft = async (status: 'DRAFT' | 'ACTIVE' = 'DRAFT') => {
  const { campaignId } = await newGame(service, { activate: status === 'ACTIVE' });
  return ok(admin('GET', `/admin/campaigns/${campaignId}`));
};
const points = () => create('/admin/rewards', { name: name(), type: 'POINTS', amount: 1 });
const chest = async () => {
  const { id } = await points();
  return create('/admin/chests', { name: name(), entries: [{ rewardId: id, weight: 1 }] });
};

const cases: Readonly<Record<string, Case>> = {
  ActivateCampaign: { make: () => draft(), at: '/admin/campaigns', call: '/activate' },
  PauseCampaign: { make: () => draft('ACTIVE'), at: '/admin/campaigns', call: '/pause' },
  EndCampaign: { make: () => draft('ACTIVE'), at: '/admin/campaigns', call: '/end' },
  DeleteCampaign: { make: () => draft(), at: '/admin/campaigns', call: 'DELETE' },
  EndMission: {
    async make() {
      const { audienceId } = await newGame(service);
      const mission = { type: 'MISSION', name: name(), programmaticCode: 'LOGIN', target: 1 };
      return create('/admin/missions', { audienceId, mission });
    },
    at: '/admin/missions',
    call: '/end',
  },
  ArchiveProduct: {
    make: () => create('/admin/products', { name: name(), stockMode: 'UNLIMITED' }),
    at: '/admin/products',
    call: '/archive',
  },
  ArchiveReward: { make: points, at: '/admin/rewards', call: '/archive' },
  ArchiveChestDefinition: { make: chest, at: '/admin/chest-definitions', call: '/archive' },
  DeleteAudience: {
    make: () => create('/admin/audiences', { name: name(), kind: 'MANUAL' }),
    at: '/admin/audiences',
    call: 'DELETE',
  },
  DeleteEventDefinition: {
    make: () => create('/admin/event-definitions', { programmaticCode: `CODE_${++made}`, type: 'SINGLE' }),
    at: '/admin/event-definitions',
    call: 'DELETE',
  },
  DeletePublication: {
    async make() {
      const product = await create('/admin/products', { name: name(), stockMode: 'UNLIMITED' });
      return create('/admin/publications', { productId: product.id, name: name(), pointsCost: 1, stock: 1 });
    },
    at: '/admin/publications',
    call: 'DELETE',
  },
};

describe.each(Object.entries(cases))('%s with the version that was read', (_name, { make, at, call }) => {
  const send = (id: string, query: string) =>
    call === 'DELETE' ? admin('DELETE', `${at}/${id}${query}`) : admin('POST', `${at}/${id}${call}${query}`);

  test('is refused where somebody changed it since, and changes nothing', async () => {
    const { id, version } = await make();
    const before = await ok(admin('GET', `${at}/${id}`));
    expect(version).toBeGreaterThan(0);
    expect(await send(id, `?version=${version! + 1}`)).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', message: expect.stringContaining(`it is at ${version} now`) },
    });
    expect((await send(id, '?version=0')).status).toBe(400);
    expect(await ok(admin('GET', `${at}/${id}`))).toEqual(before);
    expect((await send(id, `?version=${version}`)).status).toBeLessThan(300);
    // A repeat changes no data, so it overwrites no change of another person; a deleted resource stays deleted.
    const repeat = await send(id, `?version=${version}`);
    expect(repeat.status).toBe(call === 'DELETE' ? 404 : 200);
  });

  test('is not asked for', async () => {
    const { id } = await make();
    expect((await send(id, '')).status).toBeLessThan(300);
  });
});

test('chest definitions are at `/admin/chest-definitions` as at `/admin/chests`', async () => {
  const { id: rewardId } = await points();
  const made = await create('/admin/chest-definitions', { name: 'Alias', entries: [{ rewardId, weight: 1 }] });
  expect(await ok(admin('GET', `/admin/chests/${made.id}`))).toEqual(made);
  const { id, version, name: former, entries } = made;
  expect(former).toBe('Alias');
  const changed = await ok(admin('PUT', `/admin/chest-definitions/${id}`, { version, name: 'Changed', entries }));
  expect(changed).toMatchObject({ name: 'Changed' });
  const list = (path: string) => ok(admin('GET', `${path}/paginated?page=1&limit=1000`));
  expect(await list('/admin/chest-definitions')).toEqual(await list('/admin/chests'));
});
