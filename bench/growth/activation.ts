import type { Result } from '../benchmark.ts';
import { whole } from '../report.ts';
import { median } from '../support/statistics.ts';
import { accountIdOf } from './accounts.ts';
import { EVENT_CODES } from './trigger-requests.ts';
import { FEW, type World } from './world.ts';

/** Activations for each audience; the first ones warm up the code. */
const ACTIVATIONS = 60;
const WARM_UP = 10;

/** The time to activate a campaign for all accounts, against one for a thousand. */
export async function measureActivation(world: World): Promise<Result> {
  const { few, all } = world.audiences;
  const times = { few: [] as number[], all: [] as number[] };
  for (let turn = 0; turn < ACTIVATIONS; turn += 1) {
    times.few.push(await activate(world, few, accountIdOf(turn)));
    times.all.push(await activate(world, all, accountIdOf(world.accountCount - 1 - turn)));
  }
  return {
    unit: 'ms',
    ours: median(times.all.slice(WARM_UP)),
    reference: median(times.few.slice(WARM_UP)),
    details: {
      members: `${whole(world.accountCount)} against ${whole(FEW)}, of a MANUAL audience`,
      verified: `after each of ${2 * ACTIVATIONS} activations a member had the mission in its feed`,
    },
  };
}

/** Milliseconds of the call. The campaign is ended again, so that it adds no work to later events. */
async function activate({ admin, call }: World, audienceId: string, memberId: string): Promise<number> {
  const reward = await admin('POST', '/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const campaign = await admin('POST', '/admin/campaigns', {
    name: 'Now',
    audienceIds: [audienceId],
    rewardIds: [reward.id],
    missions: [{ type: 'MISSION', name: 'Begin', programmaticCode: EVENT_CODES[0], target: 10 }],
  });
  const begun = performance.now();
  await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
  const time = performance.now() - begun;
  const feed = await call<{ missionId: string }[]>('GET', `/v1/feed/account/${memberId}`);
  if (!feed.some(({ missionId }) => missionId === campaign.missions[0]!.id)) {
    throw new Error(`The account ${memberId} has not got the mission of an active campaign of its audience.`);
  }
  await admin('POST', `/admin/campaigns/${campaign.id}/end`);
  return time;
}
