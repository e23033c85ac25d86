import type { Decision } from '../../src/engine/decision.ts';
import type { CampaignStatus, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { type Calendar, calendarOf } from '../../src/engine/time/calendar.ts';
import type { Interval } from '../../src/engine/time/interval.ts';
import type { Timestamp } from '../../src/engine/time/timestamp.ts';
import { withZone, type ZoneHistory } from '../../src/kernel/time/zone-history.ts';
import { campaign, instant, type Player, player } from './fixtures.ts';

/** Something that happens to an account at a moment, told in ISO times. */
export type Step = {
  readonly at: string;
  readonly does:
    | 'event'
    | 'looks'
    | 'pauses'
    | 'activates'
    | 'goesOn'
    | 'ends'
    | 'joins'
    | 'leaves'
    | 'moves'
    | 'clientMoves';
  /** When an event occurred that arrives late. */
  readonly occurredAt?: string;
  /** When an event was accepted that has waited until now. */
  readonly acceptedAt?: string;
  /** Where to the account moves, or the client's default. */
  readonly zone?: string;
};

/** The missions of one campaign, an account for which it is, and what happens to them in the order of time. */
export type Story = {
  readonly missions: readonly Partial<MissionRule>[];
  /** The account's own zone at the beginning; the client's default without one. */
  readonly zone?: string;
  /** The client's default at the beginning; UTC without one. */
  readonly clientZone?: string;
  /** Whether the campaign is a draft until it is activated. */
  readonly isDraft?: boolean;
  /** Whether the account is in the audience only once it joins. */
  readonly isManual?: boolean;
  readonly steps: readonly Step[];
};

/** A step of a story after it has happened. */
export type Moment = {
  readonly step: Step;
  readonly now: Timestamp;
  /** The account as the service saw it then. Its assignments are those of the moment; later ones are in other moments. */
  readonly account: Player;
  /** What an event came to. */
  readonly decisions: readonly Decision[];
};

type World = {
  own: ZoneHistory;
  client: Calendar;
  pauses: Interval[];
  /** Undefined as long as it is a draft. */
  activatedAt: Timestamp | undefined;
  endedAt: Timestamp | undefined;
  /** When the account was in the audience, oldest first; the last of them may have no end yet. */
  memberships: Interval[];
};

/** An event, which may have occurred before it arrived. */
export function event(at: string, occurredAt = at): Step {
  return { at, does: 'event', occurredAt };
}

/** An asynchronous event that was accepted when it occurred, and is applied at a moment. */
export function applied(at: string, acceptedAt: string): Step {
  return { at, does: 'event', occurredAt: acceptedAt, acceptedAt };
}

/** Nothing happens but that somebody looks, for example because a day is over. */
export function looks(at: string): Step {
  return { at, does: 'looks' };
}

/** Plays a story through the engine, each step on the state that those before it left. */
export function play({
  missions,
  zone,
  clientZone = 'UTC',
  isDraft = false,
  isManual = false,
  steps,
}: Story): Moment[] {
  const rules = missions.map((each, index) => ({
    id: `m${index + 1}`,
    type: 'MISSION' as const,
    programmaticCode: 'LOGIN',
    target: 1n,
    rewardIds: [],
    ...each,
    campaignId: 'c1',
  }));
  const world: World = {
    own: { timeZone: zone, past: [] },
    client: { timeZone: clientZone, past: [] },
    pauses: [],
    activatedAt: isDraft ? undefined : -Infinity,
    endedAt: undefined,
    memberships: isManual ? [] : [{ from: -Infinity, until: Infinity }],
  };
  let assignments: Player['assignments'] = new Map();
  return steps.map((step) => {
    const now = instant(step.at);
    change(world, step, now);
    assignments = new Map(assignments);
    const account = playerIn(world, rules, assignments);
    const at = step.occurredAt ?? step.at;
    const decisions = step.does === 'event' ? account.send({ at, acceptedAt: step.acceptedAt, now }) : [];
    return { step, now, account, decisions };
  });
}

function playerIn(world: World, rules: MissionRule[], assignments: Player['assignments']) {
  const { own, client, pauses, activatedAt, endedAt, memberships } = world;
  const present = memberships.filter(({ until }) => until === Infinity);
  const audiences = new Map(present.map(({ from }) => ['everyone', from]));
  const formerAudiences = new Map([['everyone', memberships.filter(({ until }) => until !== Infinity)]]);
  const calendar = calendarOf(own, client);
  const rule = campaign({ status: statusOf(world), pauses: [...pauses], activatedAt, endedAt });
  return player(rules, [rule], { calendar, audiences, formerAudiences, assignments });
}

function statusOf({ pauses, activatedAt, endedAt }: World): CampaignStatus {
  if (activatedAt === undefined) return 'DRAFT';
  if (endedAt !== undefined) return 'ENDED';
  return pauses.at(-1)?.until === Infinity ? 'PAUSED' : 'ACTIVE';
}

function change(world: World, { does, zone }: Step, now: Timestamp): void {
  if (does === 'moves') world.own = withZone(world.own, zone, new Date(now));
  if (does === 'clientMoves') world.client = withZone(world.client, zone!, new Date(now));
  if (does === 'pauses') world.pauses.push({ from: now, until: Infinity });
  if (does === 'goesOn') world.pauses.push({ from: world.pauses.pop()!.from, until: now });
  if (does === 'activates') world.activatedAt = now;
  if (does === 'ends') world.endedAt = now;
  if (does === 'joins') world.memberships.push({ from: now, until: Infinity });
  if (does === 'leaves') world.memberships.push({ from: world.memberships.pop()!.from, until: now });
}
