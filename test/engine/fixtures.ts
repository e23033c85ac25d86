import { type AccountContext } from '../../src/engine/account-context.ts';
import { isDeepStrictEqual } from 'node:util';
import { refusalWithoutHistory } from '../../src/engine/admission.ts';
import { applyEvent, recordDecisions } from '../../src/engine/apply-event.ts';
import { atOnce } from '../../src/kernel/concurrency/time-slices.ts';
import type { AssignmentState } from '../../src/engine/assignment.ts';
import { candidatesAt, compileCatalog, type RuleCatalog } from '../../src/engine/catalog.ts';
import type { Decision } from '../../src/engine/decision.ts';
import type { MissionPlan } from '../../src/engine/missions/mission-plan.ts';
import type { CampaignRule, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { Timestamp } from '../../src/engine/time/timestamp.ts';
import { ONE, type Amount } from '../../src/kernel/amount.ts';

/** A day, local noon of which is far from every change of the clocks. */
export const MONDAY = Date.parse('2026-06-01T12:00:00Z');
export const HOUR = 3_600_000;

/** A whole number as an Amount. */
export function units(count: number): Amount {
  return BigInt(count) * ONE;
}

/** A standalone MISSION of ten logins; `changes` make it what a test is about. */
export function mission(changes: Partial<MissionRule> = {}): MissionRule {
  return { id: 'm1', type: 'MISSION', programmaticCode: 'LOGIN', target: units(10), rewardIds: ['r1'], ...changes };
}

/** An active campaign for the audience `everyone`. */
export function campaign(changes: Partial<CampaignRule> = {}): CampaignRule {
  return {
    id: 'c1',
    status: 'ACTIVE',
    audienceIds: ['everyone'],
    claimPolicy: 'AUTOMATIC',
    rewardIds: ['bonus'],
    ...changes,
  };
}

/** An account with its assignments, which plays by itself: every event builds on the ones before. */
export type Player = AccountContext & {
  readonly assignments: Map<string, AssignmentState>;
  readonly catalog: RuleCatalog;
  plan(missionId?: string): MissionPlan;
  /** Sends an event to all missions of the catalog, and keeps what they decide. */
  send(event?: Sent): Decision[];
};

/** An event: when it occurred, was accepted, and is applied. All at once unless said otherwise. */
export type Sent = {
  readonly code?: string;
  readonly amount?: Amount;
  readonly at?: Timestamp | string;
  readonly acceptedAt?: Timestamp | string | undefined;
  readonly now?: Timestamp | string;
};

/** A player in UTC and in the audience `everyone`, before these rules. */
export function player(
  missions: readonly MissionRule[],
  campaigns: readonly CampaignRule[] = [],
  { timeZone = 'UTC', ...changes }: Partial<AccountContext> & { readonly timeZone?: string } = {},
): Player {
  const catalog = compileCatalog(missions, campaigns);
  const account = {
    accountId: 'a1',
    createdAt: -Infinity,
    calendar: calendarOfZone(timeZone),
    audiences: new Map([['everyone', -Infinity]]),
    assignments: new Map<string, AssignmentState>(),
    ...changes,
  } as AccountContext & { assignments: Map<string, AssignmentState> };
  return {
    ...account,
    catalog,
    plan: (missionId = 'm1') => catalog.missions.get(missionId) ?? fail(missionId),
    send({ code = 'LOGIN', amount = ONE, at = MONDAY, now = at, acceptedAt = now } = {}) {
      const event = { programmaticCode: code, amount, occurredAt: instant(at), acceptedAt: instant(acceptedAt) };
      const plans = [...catalog.missions.values()];
      const decisions = atOnce(applyEvent(plans, account, event, instant(now)));
      const { plans: candidates } = candidatesAt(catalog, code, event.occurredAt);
      expectSameEffects(atOnce(applyEvent(candidates, account, event, instant(now))), decisions);
      const movable = plans.filter((plan) => refusalWithoutHistory(plan, account, event) === undefined);
      expectSameEffects(atOnce(applyEvent(movable, account, event, instant(now))), decisions);
      recordDecisions(account.assignments, decisions);
      return decisions;
    },
  };
}

/** The reason of the only decision, or its kind if it was none of refusal. */
export function reasonOf(decisions: readonly Decision[]): string {
  const [decision] = decisions;
  return decision?.kind === 'uncounted' ? decision.reason : String(decision?.kind);
}

/** An instant in milliseconds from its ISO text. */
export function instant(time: Timestamp | string): Timestamp {
  return typeof time === 'number' ? time : Date.parse(time);
}

/** Missions that an event cannot move may be left out: the service does not even look up what an account did for them. */
function expectSameEffects(narrowed: readonly Decision[], all: readonly Decision[]): void {
  const effects = (decisions: readonly Decision[]) => decisions.filter(({ kind }) => kind !== 'uncounted');
  if (!isDeepStrictEqual(effects(narrowed), effects(all)))
    throw new Error('candidatesAt or refusalWithoutHistory leaves out what an event moves');
}

function fail(missionId: string): never {
  throw new Error(`no mission ${missionId}`);
}
