import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** The used part of a service. */
type Administered = Pick<TestService, 'rest' | 'adminToken'>;

/** The parts of a test's campaign; the defaults give the smallest working campaign. */
export type GameOptions = {
  readonly codes?: Readonly<Record<string, 'SINGLE' | 'AMOUNT'>>;
  /** Missions in the form of `/admin/campaigns`, without the default fields. */
  readonly missions?: readonly Record<string, unknown>[];
  /** Completion rewards in the form of `/admin/rewards`. */
  readonly rewards?: readonly Record<string, unknown>[];
  readonly audienceKind?: 'EVERYONE' | 'MANUAL';
  readonly campaign?: Readonly<Record<string, unknown>>;
  readonly activate?: boolean;
  /** The administrator token of the tenant; by default of the service's first tenant. */
  readonly adminToken?: string;
};

/** An active campaign, created through the administration API as an operator would. */
export type Game = {
  readonly campaignId: string;
  readonly audienceId: string;
  readonly missionIds: readonly string[];
  readonly rewardIds: readonly string[];
};

let games = 0;

/** Creates a game. Codes are created once per tenant; a second game may use them again. */
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

/** Creates a product with codes, through the administration API; returns its id. */
export async function newProduct(service: Administered, codes: readonly string[]): Promise<string> {
  const product = await created(service, '/admin/products', { name: 'Coupon', stockMode: 'CODES' });
  if (codes.length > 0) await created(service, `/admin/products/${product.id}/codes`, { codes });
  return product.id;
}

async function created(service: Administered, path: string, body: unknown, token = service.adminToken) {
  const answer = await service.rest('POST', path, body, token);
  expect(answer, `POST ${path} ${JSON.stringify(answer.body)}`).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answer.body;
}
