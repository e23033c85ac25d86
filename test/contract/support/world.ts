import { expect } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import type { TestService, Tenant } from '../../support/service.ts';
import { newAgreement, newPublication } from './shop.ts';

/** One id of each resource that a client can own. */
export type World = Readonly<Record<Kind, string>> & {
  /** The name of every resource that has one. */
  readonly name: string;
  readonly externalId: string;
};

/** The kinds of ids. */
export type Kind =
  | 'account'
  | 'agreement'
  | 'audience'
  | 'campaign'
  | 'chest'
  | 'chestDefinition'
  | 'client'
  | 'code'
  | 'credential'
  | 'deadTrigger'
  | 'delivery'
  | 'eventDefinition'
  | 'guest'
  | 'import'
  | 'item'
  | 'journalEntry'
  | 'merge'
  | 'mission'
  | 'operation'
  | 'pendingReward'
  | 'product'
  | 'publication'
  | 'redemption'
  | 'reservation'
  | 'reward'
  | 'ruleAudience'
  | 'streak'
  | 'statistic'
  | 'leaderboard'
  | 'leaderboardDraft'
  | 'leaderboardToActivate'
  | 'leaderboardToCancel'
  | 'leaderboardRunToCancel'
  | 'leaderboardRun'
  | 'levelTrack'
  | 'standaloneMission'
  | 'user'
  | 'webhookEndpoint';

/** Creates a client's resources through its own API. */
export async function newWorld(service: TestService, tenant: Tenant, name: string): Promise<World> {
  const externalId = `${name.toLowerCase()}-account`;
  const own: TestService = {
    ...service,
    rest: (method, path, body) => service.rest(method, path, body, tokenFor(tenant, path)),
  };
  const create = async (path: string, body: object) => {
    const answer = await own.rest('POST', path, body);
    expect(answer, `POST ${path}`).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    return answer.body;
  };

  await service.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query('update client set backfill_days_max = 30, streak_settings = $2 where id = $1', [
      tenant.clientId,
      { freezesMax: 100, freezePrice: 1, vacationDaysMax: 366 },
    ]),
  );
  await own.rest('PUT', '/v1/change-feed', { keepDays: 30 });
  const { id: account } = await create('/accounts', { externalId, name, email: `${name}@example.com` });
  const { id: guest } = await create('/accounts', { externalId: `${externalId}-guest` });
  const { id: formerGuest } = await create('/accounts', { externalId: `${externalId}-former` });
  const { mergeId: merge } = await create(`/accounts/${formerGuest}/merge`, {
    intoAccountId: guest,
    progress: 'MAX',
  });
  const { id: eventDefinition } = await create('/admin/event-definitions', { programmaticCode: name, type: 'SINGLE' });
  const { id: statistic } = await create('/admin/statistic-definitions', {
    statisticDefinition: { code: 'visits', name, programmaticCode: name, aggregation: 'COUNT', period: 'MONTH' },
  });
  await create('/admin/statistic-definitions', {
    statisticDefinition: { code: 'visits_kept', programmaticCode: name, aggregation: 'COUNT', period: 'MONTH' },
  });
  await create('/admin/statistic-definitions', {
    statisticDefinition: { code: 'visits_ranked', programmaticCode: name, aggregation: 'COUNT', period: 'ALL_TIME' },
  });
  const ranked = { name, statisticCode: 'visits_ranked' };
  const { id: leaderboard } = await create('/admin/leaderboards', { leaderboard: ranked });
  await own.rest('POST', `/admin/leaderboards/${leaderboard}/activate`);
  const { id: leaderboardToCancel } = await create('/admin/leaderboards', { leaderboard: ranked });
  await own.rest('POST', `/admin/leaderboards/${leaderboardToCancel}/activate`);
  const { id: leaderboardToActivate } = await create('/admin/leaderboards', { leaderboard: ranked });
  const { id: leaderboardDraft } = await create('/admin/leaderboards', { leaderboard: ranked });
  const { id: levelTrack } = await create('/admin/level-tracks', {
    levelTrack: { code: 'tier', name, statisticCode: 'visits_kept', levels: [{ code: 'silver', threshold: 5 }] },
  });
  const attributes = [{ name: 'tier', type: 'STRING', description: name }];
  await own.rest('PUT', '/admin/account-attributes', { version: 1, attributes });
  const { id: audience } = await create('/admin/audiences', { name, kind: 'MANUAL' });
  const rule = { name: `${name} rule`, kind: 'RULE', expression: 'account.tier == "GOLD"' };
  const { id: ruleAudience } = await create('/admin/audiences', rule);
  const assign = `/gamification/audiences/${audience}/accounts/assign`;
  await create(assign, { accountIds: [account] });
  const { id: product, items } = await create('/admin/products', {
    name,
    stockMode: 'CODES',
    pointsCost: 1,
    fragmentsRequired: 3,
  });
  await create(`/admin/products/${product}/codes`, { codes: [1, 2, 3, 4, 5].map((number) => `${name}-${number}`) });
  const codes = await own.rest('GET', `/admin/products/${product}/codes/paginated?page=1&limit=10`);
  const { id: reward } = await create('/admin/rewards', { name, type: 'POINTS', amount: 100 });
  const entries = [{ rewardId: reward, weight: 1 }];
  const { id: chestDefinition } = await create('/admin/chests', { name, entries });
  const chestReward = await create('/admin/rewards', { name, type: 'CHEST', amount: 1, chestId: chestDefinition });
  const pieces = await create('/admin/rewards', { name, type: 'FRAGMENTS', amount: 1, productId: product });
  const soldOut = await create('/admin/products', { name, stockMode: 'COUNTED' });
  const waiting = await create('/admin/rewards', { name, type: 'PRODUCTS', amount: 1, productId: soldOut.id });
  const badge = await create('/admin/rewards', { name, type: 'BADGE', amount: 1, description: name });
  const { id: campaign, missions } = await create('/admin/campaigns', {
    name,
    audienceIds: [audience],
    rewardIds: [reward, chestReward.id, pieces.id, waiting.id, badge.id],
    missions: [{ type: 'MISSION', name, programmaticCode: name, target: 1 }],
  });
  await own.rest('POST', `/admin/campaigns/${campaign}/activate`);
  const standalone = { type: 'MISSION', name, programmaticCode: name, target: 1_000 };
  const { id: standaloneMission } = await create('/admin/missions', { audienceId: audience, mission: standalone });
  await create('/admin/event-definitions', { programmaticCode: `${name}_KEPT`, type: 'SINGLE' });
  const { id: streak } = await create('/admin/missions', {
    audienceId: audience,
    mission: { type: 'STREAK', name, programmaticCode: `${name}_KEPT`, endless: true },
  });
  const { pendingRewards } = await create('/gamification/triggers', { programmaticCode: name, accountId: account });
  const operation = newId();
  await create('/gamification/triggers', { programmaticCode: name, accountId: account });
  const journal = await own.rest('GET', `/admin/journal?programmaticCode=${name}`);
  await create('/gamification/triggers', { programmaticCode: name, accountId: account, operationId: operation });
  const { run } = (await own.rest('GET', `/v1/leaderboards/${leaderboard}`)).body;
  const { run: runToCancel } = (await own.rest('GET', `/v1/leaderboards/${leaderboardToCancel}`)).body;
  const [chest] = (await own.rest('GET', `/gamification/chests/account/${account}`)).body;
  const { id: redemption } = await create(`/loyalty/products/${product}/redeem`, { accountId: account });
  const agreement = await newAgreement(own, 10, name);
  const publication = await newPublication(own, { name, agreementId: agreement });
  await create(`/marketplace/publications/redeem/${publication}`, { accountId: account });
  const held = await create('/marketplace/publications/freeze', { publicationId: publication, accountId: account });
  const { credential } = await create('/admin/credentials', { kind: 'API_KEY', name });
  await own.rest('POST', '/gamification/triggers', { programmaticCode: `${name}_UNKNOWN`, accountId: account });
  // Writes the refusal.
  await own.rest('GET', '/admin/refused-calls');
  const csv = await create('/admin/imports', { type: 'ACCOUNTS', fileName: name, audienceId: audience });
  const { user } = await create('/admin/users', { email: `${name}@example.com`, name });
  for (const type of ['rewards', 'publication-status', 'mission-completed', 'stock-low']) {
    await own.rest('PUT', `/webhooks/${type}`, { endpoint: `http://127.0.0.1:1/${name}` });
  }
  const webhookEndpoint = await create('/webhooks/endpoints', {
    endpoint: { name, url: `http://127.0.0.1:1/${name}`, types: ['MISSION_COMPLETED'], campaignIds: [campaign] },
  });
  await own.rest('PUT', '/admin/alert-settings', { version: 0, endpoint: `http://127.0.0.1:1/${name}` });
  return {
    name,
    externalId,
    account,
    agreement,
    audience,
    campaign,
    chestDefinition,
    eventDefinition,
    standaloneMission,
    product,
    publication,
    redemption,
    reward,
    ruleAudience,
    statistic,
    leaderboard,
    leaderboardDraft,
    leaderboardRun: run.id,
    leaderboardToActivate,
    leaderboardToCancel,
    leaderboardRunToCancel: runToCancel.id,
    levelTrack,
    chest: chest.id,
    code: codes.body.rows.at(-1).id,
    client: tenant.clientId,
    credential: credential.id,
    deadTrigger: await newDeadTrigger(service, tenant, name),
    delivery: await newDelivery(service, tenant, name),
    import: csv.id,
    item: items[0].id,
    journalEntry: journal.body.rows[0].id,
    guest,
    merge,
    mission: missions[0].id,
    operation,
    pendingReward: pendingRewards[0].id,
    reservation: held.id,
    streak,
    user: user.id,
    webhookEndpoint: webhookEndpoint.id,
  };
}

/** The token for a path: administrators call some paths, integrators the others. */
export function tokenFor({ adminToken, apiKey }: Tenant, path: string): string {
  return /^\/(admin|webhooks)\/|\/change-feed$|\/backfill$/.test(path) ? adminToken : apiKey;
}

/** Inserts a dead trigger: calls cannot fail often enough to make one quickly. */
export async function newDeadTrigger(service: TestService, { clientId }: Tenant, name: string): Promise<string> {
  const id = newId();
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into trigger_inbox
         (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, attempts, error_code, error_message, dead_at)
       values ($1, $2, $3, $3, 'EXTERNAL', now(), now(), 10, 'ACCOUNT_NOT_FOUND', 'There is none.', now())`,
      [clientId, id, name],
    ),
  );
  return id;
}

/** Inserts into the log: the world's own messages are sent before its webhooks are configured. */
async function newDelivery(service: TestService, { clientId }: Tenant, name: string): Promise<string> {
  const id = newId();
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at, duration_ms, outcome, error)
       values ($1, $2, $3, 'REWARDS', 1, 'POST', $4, $5, now(), 1, 'FAILED', 'refused')`,
      [clientId, id, newId(), `http://${name}.example.com`, JSON.stringify([{ name }])],
    ),
  );
  return id;
}
