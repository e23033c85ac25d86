import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const path = (id: string) => `/admin/campaigns/${id}`;
const read = (id: string) => ok(service.rest('GET', path(id)));
const put = (id: string, version: number, campaign: object) => service.rest('PUT', path(id), { version, campaign });
const activate = (id: string) => service.rest('POST', `${path(id)}/activate`);

/** A campaign, and the request body with which an editor would save it unchanged. */
async function newCampaign(options: Parameters<typeof newGame>[1] = {}) {
  const { campaignId } = await newGame(service, { activate: false, ...options });
  return asDraft(await read(campaignId));
}

// oxlint-disable-next-line typescript/no-explicit-any -- as bodies are.
function asDraft(campaign: any) {
  const { name, description, audienceIds, rewardIds, claimPolicy, startsAt, endsAt } = campaign;
  const missions = campaign.missions.map(
    ({ campaignId: _campaign, position: _position, ...mission }: object & { campaignId: string; position: number }) =>
      mission,
  );
  return {
    id: campaign.id,
    version: campaign.version,
    draft: { name, description, audienceIds, rewardIds, claimPolicy, startsAt, endsAt, missions },
  };
}

describe('a DRAFT', () => {
  test('sent back as it was read stays as it was, in a new version', async () => {
    const { id, version, draft } = await newCampaign({
      missions: [
        { type: 'STREAK', target: 3, perPeriodTarget: 2, gracePeriods: 1 },
        { programmaticCode: 'PURCHASE', conditions: { maxPerPeriod: 0.5, daysOfWeek: ['MONDAY'] } },
      ],
    });
    const before = await read(id);
    const after = await ok(put(id, version, draft));
    expect(after).toEqual({ ...before, version: version + 1, updatedAt: expect.any(String) });
    expect(await read(id)).toEqual(after);
  });

  test('is replaced as a whole: missions are kept by id, added, removed and put in order', async () => {
    const { id, version, draft } = await newCampaign({ missions: [{ name: 'First' }, { name: 'Second' }] });
    const [first, second] = draft.missions;
    const added = { type: 'MISSION', name: 'Third', programmaticCode: 'LOGIN', target: 5 };
    const missions = [added, { ...second, name: 'Still second', target: 9 }];
    const after = await ok(put(id, version, { ...draft, name: 'Renamed', missions }));
    expect(after).toMatchObject({
      name: 'Renamed',
      missions: [
        { name: 'Third', position: 0 },
        { id: second.id, name: 'Still second', target: 9, position: 1 },
      ],
    });
    expect(JSON.stringify(after)).not.toContain(first.id);
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'CampaignAdminService.UpdateCampaign',
      before: { missions: [{ name: 'First' }, { name: 'Second' }] },
      after: { missions: [{ name: 'Third' }, { name: 'Still second' }] },
    });
  });

  test('edited by two at once tells the second, and overwrites nothing', async () => {
    const { id, version, draft } = await newCampaign();
    await expectOneConflict((name) => put(id, version, { ...draft, name }));
    expect(await read(id)).toMatchObject({ version: version + 1 });
  });

  test('keeps a mission that others come after', async () => {
    const { id, version, draft } = await newCampaign({ missions: [{ name: 'Base' }, { name: 'Next' }] });
    const [base, next] = draft.missions;
    const conditions = { prerequisiteMissionIds: [base.id] };
    const changed = await ok(put(id, version, { ...draft, missions: [base, { ...next, conditions }] }));
    const refused = await put(id, changed.version, { ...draft, missions: [{ ...next, conditions }] });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'MISSION_IN_USE', message: expect.stringContaining('Next') },
    });
    expect((await read(id)).missions).toHaveLength(2);
  });

  test.each([
    [
      'an unknown mission',
      (draft: { missions: object[] }) => ({ ...draft, missions: [{ ...draft.missions[0], id: newId() }] }),
    ],
    [
      'a mission twice',
      (draft: { missions: object[] }) => ({ ...draft, missions: [draft.missions[0], draft.missions[0]] }),
    ],
    ['an unknown reward', (draft: object) => ({ ...draft, rewardIds: [newId()] })],
    ['an unknown audience', (draft: object) => ({ ...draft, audienceIds: [newId()] })],
    [
      'an unknown code',
      (draft: { missions: object[] }) => ({ ...draft, missions: [{ ...draft.missions[0], programmaticCode: 'NOPE' }] }),
    ],
    [
      'an end before its start',
      (draft: object) => ({ ...draft, startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' }),
    ],
    ['no missions', (draft: object) => ({ ...draft, missions: [] })],
  ])('refuses %s', async (_what, change) => {
    const { id, version, draft } = await newCampaign();
    expect(await put(id, version, change(draft))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await read(id)).toMatchObject({ version });
  });

  test('is deleted with its missions; a repeat finds nothing', async () => {
    const { id, draft } = await newCampaign();
    await ok(service.rest('DELETE', path(id)));
    expect(await service.rest('DELETE', path(id))).toMatchObject({ status: 404, body: { code: 'CAMPAIGN_NOT_FOUND' } });
    const { rows } = await service.db.unitOfWork(service.clientId, async (uow) => ({
      rows: await uow.query('select 1 from mission where client_id = $1 and id = $2', [
        uow.clientId,
        draft.missions[0].id,
      ]),
    }));
    expect(rows).toEqual([]);
    expect((await recorded(service, id)).at(-1)).toMatchObject({
      operation: 'CampaignAdminService.DeleteCampaign',
      after: null,
    });
  });
});

describe('a campaign that has been active', () => {
  async function active() {
    const campaign = await newCampaign({ missions: [{ name: 'Log in', target: 3 }] });
    await ok(activate(campaign.id));
    return asDraft(await read(campaign.id));
  }

  test('takes new texts, pictures and ends at once', async () => {
    const { id, version, draft } = await active();
    const [mission] = draft.missions;
    const texts = {
      name: 'Log in today',
      description: 'Soon over.',
      imageUrl: 'https://example.com/i.png',
      endsAt: '2090-01-01T00:00:00Z',
    };
    const changed = {
      ...draft,
      name: 'New name',
      endsAt: '2091-01-01T00:00:00Z',
      missions: [{ ...mission, ...texts }],
    };
    await ok(put(id, version, changed));
    await ok(
      service.rest('POST', '/gamification/triggers', {
        programmaticCode: 'LOGIN',
        accountId: `reader-${id}`,
        idType: 'EXTERNAL',
      }),
    );
    const feed = await ok(service.rest('GET', `/v1/feed/account/reader-${id}?idType=EXTERNAL`));
    expect(feed).toContainEqual(
      expect.objectContaining({ missionId: mission.id, name: 'Log in today', imageUrl: texts.imageUrl, progress: 1 }),
    );
  });

  test.each([
    ['target', 'missions[0].target', { target: 4 }],
    ['code', 'missions[0].programmaticCode', { programmaticCode: 'PURCHASE' }],
    ['period', 'missions[0].period', { period: 'WEEK' }],
    ['type', 'missions[0].type', { type: 'STREAK' }],
    ['rewards', 'missions[0].conditions', { conditions: { maxPerPeriod: 1 } }],
  ])('keeps the %s of its missions', async (_what, field, change) => {
    const { id, version, draft } = await active();
    const answer = await put(id, version, { ...draft, missions: [{ ...draft.missions[0], ...change }] });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_IMMUTABLE', message: expect.stringContaining(field) },
    });
  });

  test('keeps its missions, its rewards and its policy, also while it is paused', async () => {
    const { id, draft } = await active();
    const { version } = await ok(service.rest('POST', `${path(id)}/pause`));
    const refused = { status: 409, body: { code: 'CAMPAIGN_IMMUTABLE' } };
    const another = { type: 'MISSION', name: 'More', programmaticCode: 'LOGIN', target: 1 };
    expect(await put(id, version, { ...draft, missions: [...draft.missions, another] })).toMatchObject(refused);
    expect(await put(id, version, { ...draft, claimPolicy: 'EXPLICIT' })).toMatchObject(refused);
    const reward = await ok(service.rest('POST', '/admin/rewards', { name: 'Other', type: 'POINTS', amount: 1 }));
    expect(await put(id, version, { ...draft, rewardIds: [reward.id] })).toMatchObject(refused);
  });

  test('is not deleted, and once it has ended not changed either', async () => {
    const { id, draft } = await active();
    expect(await service.rest('DELETE', path(id))).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_NOT_DRAFT' } });
    const { version } = await ok(service.rest('POST', `${path(id)}/end`));
    expect(await put(id, version, { ...draft, name: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_ENDED' },
    });
  });
});

describe('a campaign that is active and starts later', () => {
  const later = () => new Date(Date.now() + 3_600_000).toISOString();

  async function scheduled(startsAt = later()) {
    const created = await newCampaign({ campaign: { startsAt } });
    await ok(activate(created.id));
    const { version, draft } = asDraft(await read(created.id));
    return { ...created, version, draft };
  }

  test('changes as a draft does, and stays scheduled', async () => {
    const { id, version, draft } = await scheduled();
    const [mission] = draft.missions;
    const added = { type: 'MISSION', name: 'Added', programmaticCode: 'LOGIN', target: 5 };
    const changed = { ...draft, claimPolicy: 'EXPLICIT', missions: [added, { ...mission, target: 7 }] };
    const after = await ok(put(id, version, changed));
    expect(after).toMatchObject({
      status: 'ACTIVE',
      phase: 'SCHEDULED',
      claimPolicy: 'EXPLICIT',
      missions: [
        { name: 'Added', target: 5 },
        { id: mission.id, target: 7 },
      ],
    });
  });

  test('is held to what its activation would refuse', async () => {
    const { id, version, draft } = await scheduled();
    const endsAt = new Date(Date.now() - 1_000).toISOString();
    const startsAt = new Date(Date.now() - 2_000).toISOString();
    expect(await put(id, version, { ...draft, startsAt, endsAt })).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY', message: expect.stringContaining('endsAt') },
    });
    expect((await read(id)).version).toBe(version);
  });

  test('begins at once when its start is taken away, and counts nothing from before', async () => {
    const { id, version, draft } = await scheduled();
    const { activatedAt } = await read(id);
    const after = await ok(put(id, version, { ...draft, startsAt: undefined }));
    expect(after).toMatchObject({ status: 'ACTIVE', phase: 'ACTIVE' });
    expect(Date.parse(after.activatedAt)).toBeGreaterThan(Date.parse(activatedAt));
    expect(await put(id, after.version, { ...draft, claimPolicy: 'EXPLICIT' })).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_IMMUTABLE' },
    });
  });

  test('has begun a minute before its start, because the clocks of hosts differ', async () => {
    const { id, version, draft } = await scheduled(new Date(Date.now() + 30_000).toISOString());
    expect(await put(id, version, { ...draft, claimPolicy: 'EXPLICIT' })).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_IMMUTABLE' },
    });
  });
});

test('an edit and an activation at once: whichever comes second is refused, or sees the other', async () => {
  const { id, version, draft } = await newCampaign();
  const [edited, activated] = await Promise.all([put(id, version, { ...draft, name: 'Edited' }), activate(id)]);
  expect(activated.status).toBe(200);
  expect([200, 409]).toContain(edited.status);
  expect((await read(id)).name === 'Edited').toBe(edited.status === 200);
});

describe('a copy', () => {
  test('is a DRAFT of its own under a new name, with prerequisites among its own missions', async () => {
    const { id, version, draft } = await newCampaign({ missions: [{ name: 'Base' }, { name: 'Next' }] });
    const [base, next] = draft.missions;
    const conditions = { prerequisiteMissionIds: [base.id] };
    await ok(put(id, version, { ...draft, missions: [base, { ...next, conditions }] }));
    await ok(activate(id));
    const copy = await ok(service.rest('POST', `${path(id)}/duplicate`, { name: 'Again' }));
    expect(copy).toMatchObject({
      name: 'Again',
      status: 'DRAFT',
      version: 1,
      missions: [{ name: 'Base' }, { name: 'Next' }],
    });
    expect(copy.activatedAt).toBeUndefined();
    expect(copy.missions[1].conditions.prerequisiteMissionIds).toEqual([copy.missions[0].id]);
    expect(copy.missions[0].id).not.toBe(base.id);
    expect(await read(copy.id)).toEqual(copy);
    expect(await recorded(service, copy.id)).toMatchObject([
      { operation: 'CampaignAdminService.DuplicateCampaign', before: null },
    ]);
  });

  test('needs a name and something to copy; a repeat copies again', async () => {
    const { id } = await newCampaign();
    const duplicate = (of: string, body: object) => service.rest('POST', `${path(of)}/duplicate`, body);
    expect((await duplicate(id, {})).status).toBe(400);
    expect((await duplicate(newId(), { name: 'x' })).body.code).toBe('CAMPAIGN_NOT_FOUND');
    const [one, two] = [await ok(duplicate(id, { name: 'x' })), await ok(duplicate(id, { name: 'x' }))];
    expect(one.id).not.toBe(two.id);
  });
});

test.each([
  [
    'PUT',
    '',
    {
      version: 1,
      campaign: {
        name: 'x',
        audienceIds: [newId()],
        rewardIds: [newId()],
        missions: [{ type: 'MISSION', name: 'x', programmaticCode: 'LOGIN', target: 1 }],
      },
    },
  ],
  ['DELETE', '', undefined],
  ['POST', '/duplicate', { name: 'x' }],
  ['GET', '/activation-preview', undefined],
  ['GET', '/funnel', undefined],
])("%s %s finds nothing of another client's", async (method, end, body) => {
  const { id } = await newCampaign();
  const { adminToken } = await service.newTenant();
  const answer = await service.rest(method, path(id) + end, body, adminToken);
  expect(answer).toMatchObject({ status: 404, body: { code: 'CAMPAIGN_NOT_FOUND' } });
});
