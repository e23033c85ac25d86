import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** What of a service is needed to set a game up. */
type Administered = Pick<TestService, 'rest' | 'adminToken'>;

/** What a test's campaign is made of; everything has a value that makes the smallest working campaign. */
export type GameOptions = {
  readonly codes?: Readonly<Record<string, 'SINGLE' | 'AMOUNT'>>;
  /** Missions as `/admin/campaigns` takes them, without what follows from the defaults. */
  readonly missions?: readonly Record<string, unknown>[];
  /** Completion rewards as `/admin/rewards` takes them. */
  readonly rewards?: readonly Record<string, unknown>[];
  readonly audienceKind?: 'EVERYONE' | 'MANUAL';
  readonly campaign?: Readonly<Record<string, unknown>>;
  readonly activate?: boolean;
  /** The tenant's administrator token; the service's first tenant by default. */
  readonly adminToken?: string;
};

/** An active campaign, set up as an operator would, through the administration API. */
export type Game = {
  readonly campaignId: string;
  readonly audienceId: string;
  readonly missionIds: readonly string[];
  readonly rewardIds: readonly string[];
};

let games = 0;

/** Sets a game up. Codes are created once per tenant; a second game may use them again. */
export async function newGame(service: Administered, options: GameOptions = {}): Promise<Game> {
  const admin = (path: string, body?: unknown) => created(service, path, body, options.adminToken);
  games += 1;
  for (const [programmaticCode, type] of Object.entries(options.codes ?? { LOGIN: 'SINGLE', PURCHASE: 'AMOUNT' })) {
    await service.rest(
      'POST',
      '/admin/event-definitions',
      { programmaticCode, type },
      options.adminToken ?? service.adminToken,
    );
  }
  const audience = await admin('/admin/audiences', {
    name: `Audience ${games}`,
    kind: options.audienceKind ?? 'EVERYONE',
  });
  const rewards = [];
  for (const reward of options.rewards ?? [{ name: '10 points', type: 'POINTS', amount: 10 }]) {
    rewards.push(await admin('/admin/rewards', reward));
  }
  const campaign = await admin('/admin/campaigns', {
    name: `Campaign ${games}`,
    audienceIds: [audience.id],
    rewardIds: rewards.map((reward) => reward.id),
    missions: (options.missions ?? [{}]).map((mission, index) => ({
      type: 'MISSION',
      name: `Mission ${index + 1}`,
      programmaticCode: 'LOGIN',
      target: 1,
      ...mission,
    })),
    ...options.campaign,
  });
  if (options.activate !== false) await admin(`/admin/campaigns/${campaign.id}/activate`);
  return {
    campaignId: campaign.id,
    audienceId: audience.id,
    missionIds: campaign.missions.map((mission: { id: string }) => mission.id),
    rewardIds: rewards.map((reward) => reward.id),
  };
}

/** A product with codes, through the administration API; gives its id. */
export async function newProduct(service: Administered, codes: readonly string[]): Promise<string> {
  const product = await created(service, '/admin/products', { name: 'Coupon', stockMode: 'CODES' });
  if (codes.length > 0) await created(service, `/admin/products/${product.id}/codes`, { codes });
  return product.id;
}

async function created(service: Administered, path: string, body: unknown, token = service.adminToken) {
  const answer = await service.rest('POST', path, body, token);
  expect(answer, `POST ${path}`).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body;
}
