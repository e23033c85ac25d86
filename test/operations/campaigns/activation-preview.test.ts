import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ActivateCampaignRequestSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { activateCampaign } from '../../../src/campaigns/activation/activate-campaign.ts';
import { lockCatalog } from '../../../src/clients/catalog-version.ts';
import { entities } from '../../../src/app/entities.ts';
import { openDatabase } from '../../../src/persistence/database.ts';
import { ok } from '../../support/administration.ts';
import { newGame, newProduct } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { untilBlocked } from '../triggers/inbox-fixture.ts';
import { callOf } from '../webhooks/fixture.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const path = (id: string) => `/admin/campaigns/${id}`;

describe('before it is activated', () => {
  const preview = (id: string) => ok(service.rest('GET', `${path(id)}/activation-preview`));

  test('a campaign tells how many accounts it will touch, and what is out of stock', async () => {
    const productId = await newProduct(service, []);
    const { campaignId, audienceId } = await newGame(service, {
      activate: false,
      audienceKind: 'MANUAL',
      rewards: [{ name: 'Coupon', type: 'PRODUCTS', amount: 1, productId }],
    });
    expect(await preview(campaignId)).toMatchObject({
      members: 0,
      problems: [],
      warnings: [{ field: 'audienceIds' }, { field: 'rewardIds[0]' }],
    });
    const { id } = await ok(service.rest('POST', '/accounts', {}));
    await ok(service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: [id] }));
    await ok(service.rest('POST', `/admin/products/${productId}/codes`, { codes: ['A'] }));
    expect(await preview(campaignId)).toEqual({
      members: 1,
      problems: [],
      warnings: [],
      cost: {
        pointsEach: 0,
        points: 0,
        products: [{ productId, productName: 'Coupon', unitsEach: 1, units: 1 }],
        unbounded: [],
      },
    });
  });

  test('an account in two of its audiences counts once', async () => {
    const other = await ok(service.rest('POST', '/admin/audiences', { name: 'Other', kind: 'MANUAL' }));
    const game = await newGame(service, { activate: false, audienceKind: 'MANUAL' });
    const audienceIds = [game.audienceId, other.id];
    const { name, rewardIds, missions } = await ok(service.rest('GET', path(game.campaignId)));
    const id = game.campaignId;
    const [{ campaignId: _campaign, position: _position, ...mission }] = missions;
    await ok(
      service.rest('PUT', path(id), { version: 1, campaign: { name, audienceIds, rewardIds, missions: [mission] } }),
    );
    const account = await ok(service.rest('POST', '/accounts', {}));
    for (const audience of audienceIds) {
      await ok(
        service.rest('POST', `/gamification/audiences/${audience}/accounts/assign`, { accountIds: [account.id] }),
      );
    }
    expect((await preview(id)).members).toBe(1);
  });

  test('what it would be refused for is reported, and is what it is refused for', async () => {
    const { campaignId: id } = await newGame(service, {
      activate: false,
      campaign: { endsAt: '2020-01-01T00:00:00Z' },
    });
    const { problems } = await preview(id);
    expect(problems).toMatchObject([{ field: 'endsAt' }]);
    expect(await service.rest('POST', `${path(id)}/activate`)).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY', message: expect.stringContaining('endsAt') },
    });
    expect((await ok(service.rest('GET', path(id)))).status).toBe('DRAFT');
  });
});

test('an activation that waits for another change of the definitions is judged by what that has left', async () => {
  const { campaignId, missionIds, rewardIds } = await newGame(service, { activate: false });
  const { activation } = await service.db.unitOfWork(service.clientId, async (uow) => {
    await lockCatalog(uow);
    const waits = service.rest('POST', `${path(campaignId)}/activate`);
    await untilBlocked(service);
    const key = (id: string | undefined) => [uow.clientId, id];
    await uow.query(`update mission set ends_at = '2020-01-01' where client_id = $1 and id = $2`, key(missionIds[0]));
    await uow.query('update reward set deleted_at = now() where client_id = $1 and id = $2', key(rewardIds[0]));
    return { activation: waits };
  });
  const message = expect.stringMatching(/^missions\[0\]\.endsAt: .* rewardIds\[0\]: .* archived/);
  expect(await activation).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_NOT_READY', message } });
});

test('an activation that waits for another change for too long is told that the database is busy', async () => {
  const { campaignId } = await newGame(service, { activate: false });
  const impatient = await openDatabase({ url: service.databaseUrl, entities, poolMax: 1, statementTimeoutMs: 50 });
  const request = create(ActivateCampaignRequestSchema, { id: campaignId });
  const activation = service.db.unitOfWork(service.clientId, async (uow) => {
    await lockCatalog(uow);
    return activateCampaign(callOf(impatient, service.clientId), request);
  });
  await expect(activation).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  await impatient.close();
});
