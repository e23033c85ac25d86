import type { Decision } from '../../src/engine/decision.ts';
import { freezesAt, renewFreezes } from '../../src/engine/freezes/account-freezes.ts';
import type { FreezeMove, FreezeUse } from '../../src/engine/freezes/freeze-ledger.ts';
import type { CampaignStatus, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { type Calendar, calendarOf, dayAt } from '../../src/engine/time/calendar.ts';
import { dayOfDate, splitVacations, type Vacation } from '../../src/engine/time/vacation.ts';
import type { Interval } from '../../src/engine/time/interval.ts';
import type { Timestamp } from '../../src/kernel/time/timestamp.ts';
import { withZone, type ZoneHistory } from '../../src/kernel/time/zone-history.ts';
import { campaign, instant, type Player, player } from './fixtures.ts';

/** A step of an account's story; times are ISO texts. */
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
    | 'clientMoves'
    | 'announces'
    | 'getsFreeze';
  /** The code of an event; LOGIN by default. */
  readonly code?: string;
  /** The time of occurrence of a late event. */
  readonly occurredAt?: string;
  /** The time of acceptance of an event that waited. */
  readonly acceptedAt?: string;
  /** The new zone of the account, or of the client. */
  readonly zone?: string;
  /** The first and the last day of the vacation that is announced in place of all days ahead; none if left out. */
  readonly days?: readonly [first: string, last: string];
};

/** The missions of one campaign, an account in its audience, and the steps in chronological order. */
export type Story = {
  readonly missions: readonly Partial<MissionRule>[];
  /** The account's own zone at the beginning; the client's default if left out. */
  readonly zone?: string;
  /** The client's default zone at the beginning; UTC if left out. */
  readonly clientZone?: string;
  /** Whether the campaign is a draft until its activation. */
  readonly isDraft?: boolean;
  /** Whether the account enters the audience only by joining. */
  readonly isManual?: boolean;
  readonly steps: readonly Step[];
};

/** A step of a story after it has happened. */
export type Moment = {
  readonly step: Step;
  readonly now: Timestamp;
  /** The account as the service saw it at this moment. Its assignments belong to this moment only; later moments have theirs. */
  readonly account: Player;
  /** The decisions on an event. */
  readonly decisions: readonly Decision[];
};

type World = {
  own: ZoneHistory;
  client: Calendar;
  pauses: Interval[];
  /** Undefined while the campaign is a draft. */
  activatedAt: Timestamp | undefined;
  endedAt: Timestamp | undefined;
  /** The times in the audience, oldest first; the last one may be open. */
  memberships: Interval[];
  /** The freezes of the account. */
  moves: FreezeMove[];
  uses: readonly FreezeUse[];
  vacations: readonly Vacation[];
};

/** An event; it may have occurred before its arrival. */
export function event(at: string, occurredAt = at): Step {
  return { at, does: 'event', occurredAt };
}

/** An asynchronous event that was accepted at its occurrence and is applied later. */
export function applied(at: string, acceptedAt: string): Step {
  return { at, does: 'event', occurredAt: acceptedAt, acceptedAt };
}

/** A read without any change, for example after the end of a day. */
export function looks(at: string): Step {
  return { at, does: 'looks' };
}

/** Plays a story in the engine; each step starts from the state of the previous one. */
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
    ...{ moves: [], uses: [], vacations: [] },
  };
  let assignments: Player['assignments'] = new Map();
  return steps.map((step) => {
    const now = instant(step.at);
    change(world, step, now);
    assignments = new Map(assignments);
    const account = playerIn(world, rules, assignments, now);
    const { at: arrivedAt, code, acceptedAt, occurredAt: at = arrivedAt } = step;
    const decisions = step.does === 'event' ? account.send({ ...(code && { code }), at, acceptedAt, now }) : [];
    renewFreezes([...account.catalog.missions.values()], account, now);
    if (account.freezes) world.uses = account.freezes.present.uses;
    return { step, now, account, decisions };
  });
}

function playerIn(world: World, rules: MissionRule[], assignments: Player['assignments'], now: Timestamp) {
  const { own, client, pauses, activatedAt, endedAt, memberships } = world;
  const present = memberships.filter(({ until }) => until === Infinity);
  const audiences = new Map(present.map(({ from }) => ['everyone', from]));
  const formerAudiences = new Map([['everyone', memberships.filter(({ until }) => until !== Infinity)]]);
  const calendar = calendarOf(own, client);
  const rule = campaign({ status: statusOf(world), pauses: [...pauses], activatedAt, endedAt });
  const known = { calendar, audiences, formerAudiences, assignments, vacations: world.vacations };
  const account = player(rules, [rule], known);
  if (world.moves.length === 0) return account;
  const ledger = { moves: [...world.moves], uses: world.uses };
  const ofFreezes = freezesAt([...account.catalog.missions.values()], ledger, account, now);
  return player(rules, [rule], { ...known, freezes: { ledger, present: ofFreezes } });
}

function statusOf({ pauses, activatedAt, endedAt }: World): CampaignStatus {
  if (activatedAt === undefined) return 'DRAFT';
  if (endedAt !== undefined) return 'ENDED';
  return pauses.at(-1)?.until === Infinity ? 'PAUSED' : 'ACTIVE';
}

function change(world: World, { does, zone, days }: Step, now: Timestamp): void {
  if (does === 'moves') world.own = withZone(world.own, zone, new Date(now));
  if (does === 'clientMoves') world.client = withZone(world.client, zone!, new Date(now));
  if (does === 'announces') {
    const today = dayAt(calendarOf(world.own, world.client), now);
    const [first, last] = (days ?? []).map(dayOfDate);
    const ahead = first === undefined ? [] : [{ first, last: last! }];
    world.vacations = [...splitVacations(world.vacations, today).begun, ...splitVacations(ahead, today).ahead];
  }
  if (does === 'getsFreeze') world.moves.push({ at: now, count: 1 });
  if (does === 'pauses') world.pauses.push({ from: now, until: Infinity });
  if (does === 'goesOn') world.pauses.push({ from: world.pauses.pop()!.from, until: now });
  if (does === 'activates') world.activatedAt = now;
  if (does === 'ends') world.endedAt = now;
  if (does === 'joins') world.memberships.push({ from: now, until: Infinity });
  if (does === 'leaves') world.memberships.push({ from: world.memberships.pop()!.from, until: now });
}
