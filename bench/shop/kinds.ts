import { accountIdSql } from '../growth/accounts.ts';
import { idsSql, jsonSql, type Script, type Words } from './by-hand.ts';
import { ACCOUNTS, campaignOf, chestIdSql, ownerSql, type Side } from './numbers.ts';
import { addChests, addCompletions, type Campaign, type Range } from './population.ts';
import type { Choice } from './requests.ts';
import type { Shop } from './world.ts';

/** A kind of call by many accounts, over REST and by hand. */
export type Kind = {
  /** The path, with `{id}` for the chosen row. */
  readonly path: string;
  readonly choice: Choice;
  readonly script: Script['name'];
  /** The words of the script, beside the common ones. */
  readonly words: Words;
  /** SQL that counts how often the work was done, over REST or by hand. */
  readonly done: string;
  /** For work that can be done once: creates the rows of a range. REST and by-hand work use different rows. */
  readonly add?: (range: Range) => Promise<void>;
};

/** Sets a kind up. */
export type SetUp = (shop: Shop) => Promise<Kind>;

/** Units of a product, and of its publication: more than are ever taken. */
const UNITS = 100_000_000;

/** Points that a unit costs. */
const PRICE = 1;

/** Points of a claim, and the possible points of a chest. */
const CLAIMED = 50;
const DRAWN = [10, 20, 50];

/** Campaigns to claim over REST, and as many by hand. */
const CAMPAIGNS = 20;

/** Purchases of a number of publications, each of a different product. */
export function publications(count: number): SetUp {
  return async ({ admin, call }) => {
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const name = `Coffee ${number}`;
      const product = await admin('POST', '/admin/products', { name, stockMode: 'COUNTED', stock: UNITS });
      const publication = { productId: product.id, name, stock: UNITS, pointsCost: PRICE };
      const { id } = await admin('POST', '/admin/publications', publication);
      await call('POST', `/marketplace/publications/${id}/publish`);
      ids.push(id);
    }
    return {
      path: '/marketplace/publications/redeem/{id}',
      choice: { kind: 'any', ids },
      script: 'purchase',
      words: { ids: idsSql(ids), count: String(count) },
      done: `select count(*) from redemption where client_id = $1 and source = 'MARKETPLACE'`,
    };
  };
}

/** Purchases of a number of products for points. */
export function products(count: number): SetUp {
  return async ({ admin }) => {
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const product = { name: `Coffee ${number}`, stockMode: 'COUNTED', stock: UNITS, pointsCost: PRICE };
      ids.push((await admin('POST', '/admin/products', product)).id);
    }
    return {
      path: '/loyalty/products/{id}/redeem',
      choice: { kind: 'any', ids },
      script: 'redeem',
      words: { ids: idsSql(ids), count: String(count) },
      done: `select count(*) from redemption where client_id = $1 and source = 'LOYALTY'`,
    };
  };
}

/** Claims of campaigns that all accounts have completed. */
export const claims: SetUp = async ({ admin, db, clientId }) => {
  await admin('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const audience = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await admin('POST', '/admin/rewards', { name: 'Points', type: 'POINTS', amount: CLAIMED });
  const createCampaign = async (name: string): Promise<Campaign> => {
    const campaign = await admin('POST', '/admin/campaigns', {
      name,
      claimPolicy: 'EXPLICIT',
      audienceIds: [audience.id],
      rewardIds: [reward.id],
      missions: [{ type: 'MISSION', name: 'Come once', programmaticCode: 'LOGIN', target: 1 }],
    });
    await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
    return { id: campaign.id, missionId: campaign.missions[0]!.id };
  };
  const campaigns: Record<Side, Campaign[]> = { service: [], hand: [] };
  for (let number = 1; number <= CAMPAIGNS; number += 1) {
    for (const side of ['service', 'hand'] as const)
      campaigns[side].push(await createCampaign(`Come back ${number}, ${side}`));
  }
  const idsOf = (side: Side) => campaigns[side].map(({ id }) => id);
  const [{ missionId }] = campaigns.hand as [Campaign];
  const assignment = { id: missionId, progress: 1, target: 1, status: 'COMPLETED', missionId };
  const context = { assignment: { ...assignment, accountId: missionId, rewardId: reward.id } };
  return {
    path: '/gamification/campaigns/{id}/claim',
    script: 'claim',
    choice: { kind: 'claims', campaignIds: idsOf('service') },
    words: {
      ids: idsSql(idsOf('hand')),
      reward: `'${reward.id}'::uuid`,
      amount: String(CLAIMED),
      context: jsonSql(context),
    },
    done: 'select count(*) from campaign_completion where client_id = $1 and closed_at is not null',
    async add(range) {
      if (campaignOf(range.to) >= CAMPAIGNS) throw new Error('There are too few campaigns to claim for so long a run.');
      await addCompletions(db, clientId, campaigns[range.side], range);
    },
  };
};

/** Chests to open, each with one of a few amounts of points. */
export const chests: SetUp = async ({ admin, db, clientId }) => {
  const rewardIds: string[] = [];
  for (const amount of DRAWN)
    rewardIds.push((await admin('POST', '/admin/rewards', { name: `${amount} points`, type: 'POINTS', amount })).id);
  const entries = rewardIds.map((rewardId) => ({ rewardId, weight: 1 }));
  const definition = await admin('POST', '/admin/chests', { name: 'Chest', entries });
  // pgbench draws the numbers of the by-hand work, so the seed has no meaning; the stored row has the same length.
  const rolls = rewardIds.map((_, draw) => ({
    seed: '0123456789abcdef0123456789abcdef',
    draw,
    totalWeight: DRAWN.length,
    entries: entries.map((entry, index) => ({ ...entry, guaranteed: false, drawn: index === draw })),
  }));
  return {
    path: '/gamification/chests/{id}/open',
    choice: { kind: 'chests' },
    script: 'chest',
    words: {
      ids: idsSql(rewardIds),
      count: String(DRAWN.length),
      chest: chestIdSql('hand', ':number'),
      rolls: `array[${rolls.map(jsonSql).join(', ')}]`,
      amounts: `array[${DRAWN.join(', ')}]::numeric[]`,
    },
    done: 'select count(*) from chest where client_id = $1 and opened_at is not null',
    add: (range) => addChests(db, clientId, definition.id, range),
  };
};

/** The common words of all scripts, for a client. @param answer the service's stored answer to such a call */
export function wordsOf(clientId: string, answer: Buffer): Words {
  return {
    client: `'${clientId}'::uuid`,
    accounts: String(ACCOUNTS),
    account: accountIdSql(':account'),
    owner: ownerSql(':number'),
    answer: `'\\x${answer.toString('hex')}'::bytea`,
  };
}
