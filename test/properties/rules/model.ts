import { ONE } from '../../../src/kernel/amount.ts';
import type { Tier } from './expressions.ts';
import { accountFormulas, formulas, pointsOf } from './formulas.ts';
import { createStanding, judgedAccount } from './standing.ts';
import {
  type AccountState,
  type CampaignState,
  type Effect,
  type EventArrival,
  memberSince,
  type MissionState,
} from './states.ts';
import type { Campaign, Game, Mission, Player } from './steps.ts';

/** Units in stock of the product that the first mission gives. */
export const MUGS = 2;

/** The points of each milestone. */
export const POINTS_OF_MILESTONE = 7;

/** The effects of an event: see {@link createModel}. */
export type Emitted = {
  readonly effects: ReadonlyMap<Mission, Effect>;
  readonly rewards: readonly string[];
  readonly pending: readonly string[];
  /** The reasons of rewards whose amounts pay nothing, in the order of the rewards. */
  readonly skipped: readonly string[];
  /** Campaigns that this event completes: they close, or wait for a claim. */
  readonly closings: readonly Campaign[];
};

export type Model = ReturnType<typeof createModel>;

/** The expected state of the service: lists of all changes, added up from scratch at each read. */
export function createModel(game: Game, start: number) {
  const { missions } = game;
  const standing = createStanding(game, start);
  const { campaigns, isComplete } = standing;
  const accounts = new Map<Player, AccountState>();
  let mugs = MUGS;

  const accountOf = (who: Player, now: number): AccountState => {
    const known = accounts.get(who);
    if (known) return known;
    const account: AccountState = {
      who,
      createdAt: now,
      zones: [{ from: -Infinity, zone: null }],
      memberships: [],
      tier: undefined,
      arrivals: new Map(missions.map((mission) => [mission, []])),
      completedCampaigns: new Set(),
      claimed: new Set(),
      points: 0,
    };
    accounts.set(who, account);
    return account;
  };

  /** Applies an event; a simulation applies it to a copy and discards the copy. */
  function emit(who: Player, arrival: EventArrival): Emitted {
    const account = accountOf(who, arrival.now);
    const effects = new Map<Mission, Effect>();
    const moved: Mission[] = [];
    for (const mission of missions) {
      const reason = standing.refusal(account, mission, arrival) ?? standing.unmoved(account, mission, arrival);
      if (reason === undefined) moved.push(mission);
      else effects.set(mission, { reason });
    }
    const before = new Map(
      moved.map((mission) => [mission, standing.stateOf(account, mission, arrival.at, arrival.now)]),
    );
    const paid = new Map(moved.map((mission) => [mission, pointsOfMission(account, mission, arrival)]));
    const reached = new Map(moved.map((mission) => [mission, standing.milestonesOf(account, mission).length]));
    for (const mission of moved) account.arrivals.get(mission)!.push(arrival);
    const earned: { rewards: string[]; pending: string[]; skipped: string[] } = {
      ...{ rewards: [], pending: [], skipped: [] },
    };
    const pay = (points: ReturnType<typeof pointsOf>) => {
      if (typeof points === 'string') earned.skipped.push(points);
      else earned.rewards.push(`POINTS ${points}`);
      account.points += typeof points === 'string' ? 0 : points;
    };
    for (const mission of moved) {
      const state = standing.stateOf(account, mission, arrival.at, arrival.now);
      const rounds = roundsBetween(before.get(mission)!, state);
      effects.set(mission, mission.repeat && rounds > 0 ? completedRound(mission, state, rounds) : state);
      const milestones = standing.milestonesOf(account, mission).length - reached.get(mission)!;
      for (let paidNow = 0; paidNow < milestones; paidNow += 1) pay(POINTS_OF_MILESTONE);
      // A reward that pays nothing is skipped once for all rounds.
      const times = mission !== missions[0] && typeof paid.get(mission) === 'string' ? Math.min(rounds, 1) : rounds;
      for (let round = 0; round < times; round += 1) {
        if (mission !== missions[0]) {
          pay(paid.get(mission)!);
        } else if (mugs > 0) {
          mugs -= 1;
          earned.rewards.push('PRODUCTS 1');
        } else {
          earned.pending.push('PRODUCTS 1');
        }
      }
    }
    const closings = completedNow(account, moved, arrival.now);
    if (closings.includes('open')) pay(pointsOfCampaign(account, 'open'));
    return { effects, ...earned, closings };
  }

  function pointsOfMission(account: AccountState, mission: Mission, arrival: EventArrival) {
    const { formula } = mission;
    return formula === undefined ? 1 : pointsOf(formulas[formula](standing.judged(account, mission, arrival)));
  }

  function pointsOfCampaign(account: AccountState, home: Campaign) {
    const formula = game.formulas[home];
    return formula === undefined ? 5 : pointsOf(accountFormulas[formula](judgedAccount(account)));
  }

  function completedNow(account: AccountState, moved: readonly Mission[], now: number): Campaign[] {
    const homes = new Set(moved.filter((mission) => isComplete(account, mission, now)).map(({ home }) => home));
    const closings = [...homes].filter((home): home is Campaign => {
      if (home === 'alone' || account.completedCampaigns.has(home)) return false;
      return missions.every((mission) => mission.home !== home || isComplete(account, mission, now));
    });
    for (const closing of closings) account.completedCampaigns.add(closing);
    return closings;
  }

  const model = {
    emit,
    /** The result that {@link emit} would have. */
    simulate: (who: Player, arrival: EventArrival) => {
      const [before, wasThere] = [structuredClonePlayer(accounts.get(who)), accounts.has(who)];
      const mugsBefore = mugs;
      const emitted = emit(who, arrival);
      mugs = mugsBefore;
      if (wasThere) accounts.set(who, before!);
      else accounts.delete(who);
      return emitted;
    },
    /** The whole feed, in its order. */
    feed: (who: Player, now: number) =>
      missions.flatMap((mission) => {
        const state = standing.view(accountOf(who, now), mission, now);
        return state ? [{ mission, state }] : [];
      }),
    /** The complete periods of routines, and the other complete missions. */
    completed: (who: Player, now: number) =>
      missions.flatMap((mission) => {
        const account = accountOf(who, now);
        if (mission.type !== 'ROUTINE')
          return standing.isOver(account, mission, now) ? [{ mission, periodKey: '' }] : [];
        const target = BigInt(mission.target) * ONE;
        const done = [...standing.periodsOf(account, mission)].filter(([, sum]) => sum === target);
        return done.map(([periodKey]) => ({ mission, periodKey }));
      }),
    claimable: (who: Player, now: number) => canClaim(accountOf(who, now)) === 'OK',
    points: (who: Player, now: number) => accountOf(who, now).points,
    meet: (who: Player, now: number) => void accountOf(who, now),
    claim(who: Player, now: number): string {
      const account = accountOf(who, now);
      const answer = canClaim(account);
      if (answer !== 'OK') return answer;
      account.claimed.add('claimed');
      const points = pointsOfCampaign(account, 'claimed');
      account.points += typeof points === 'string' ? 0 : points;
      return 'OK';
    },
    join(who: Player, now: number): void {
      const account = accountOf(who, now);
      if (memberSince(account) === undefined)
        account.memberships = [...account.memberships, { from: now, until: Infinity }];
    },
    leave(who: Player, now: number): void {
      const account = accountOf(who, now);
      account.memberships = account.memberships.map(({ from, until }) => ({ from, until: Math.min(until, now) }));
    },
    move: (who: Player, to: string | null, now: number) => accountOf(who, now).zones.push({ from: now, zone: to }),
    moveAll: (to: string, now: number) => standing.clientZones.push({ from: now, zone: to }),
    rank: (who: Player, tier: Tier | null, now: number) => void (accountOf(who, now).tier = tier ?? undefined),
    pause(name: Campaign, now: number): string {
      const campaign = campaigns[name];
      if (campaign.status === 'ENDED') return 'CAMPAIGN_ENDED';
      if (campaign.status === 'ACTIVE') campaign.pauses.push({ from: now, until: Infinity });
      campaign.status = 'PAUSED';
      return 'OK';
    },
    resume(name: Campaign, now: number): string {
      const campaign = campaigns[name];
      if (campaign.status === 'ENDED') return 'CAMPAIGN_ENDED';
      resume(campaign, now);
      campaign.status = 'ACTIVE';
      return 'OK';
    },
    end(name: Campaign, now: number): string {
      const campaign = campaigns[name];
      if (campaign.status === 'ENDED') return 'OK';
      resume(campaign, now);
      campaign.status = 'ENDED';
      campaign.endsAt = Math.min(campaign.endsAt, now);
      return 'OK';
    },
    reschedule(name: Campaign, endsAt: number | undefined): string {
      if (campaigns[name].status === 'ENDED') return 'CAMPAIGN_ENDED';
      campaigns[name].endsAt = endsAt ?? Infinity;
      return 'OK';
    },
    endAlone: (now: number) => void (standing.alone.endsAt = Math.min(standing.alone.endsAt, now)),
  };
  for (const who of ['ada', 'bob'] as const) accountOf(who, start);
  return model;

  function canClaim(account: AccountState): string {
    if (!account.completedCampaigns.has('claimed')) return 'CAMPAIGN_NOT_COMPLETED';
    if (account.claimed.has('claimed')) return 'CAMPAIGN_ALREADY_CLAIMED';
    return campaigns.claimed.status === 'PAUSED' ? 'CAMPAIGN_NOT_ACTIVE' : 'OK';
  }
}

/** The rounds that an event completed. */
function roundsBetween(before: MissionState, after: MissionState): number {
  if (after.completions !== undefined) return after.completions - before.completions!;
  return after.status === 'COMPLETED' ? 1 : 0;
}

/** The effect of an event on a mission that repeats: the completed round, and what counts for the next. */
function completedRound(mission: Mission, state: MissionState, rounds: number): MissionState {
  const carriedOver = state.status === 'COMPLETED' ? undefined : state.progress;
  return { ...state, status: 'COMPLETED', progress: mission.target, rounds, carriedOver };
}

function resume(campaign: CampaignState, now: number): void {
  campaign.pauses = campaign.pauses.map(({ from, until }) => ({ from, until: Math.min(until, now) }));
}

function structuredClonePlayer(account: AccountState | undefined): AccountState | undefined {
  if (!account) return undefined;
  return {
    ...account,
    arrivals: new Map([...account.arrivals].map(([mission, arrivals]) => [mission, [...arrivals]])),
    completedCampaigns: new Set(account.completedCampaigns),
    claimed: new Set(account.claimed),
  };
}
