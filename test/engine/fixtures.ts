import { NO_LEVELS } from '../../src/engine/levels/account-levels.ts';
import { NO_VALUES } from '../../src/engine/statistics/statistic-values.ts';
import { type AttributeValues, NO_ATTRIBUTES } from '../../src/attributes/attribute-values.ts';
import { type AccountContext } from '../../src/engine/account-context.ts';
import { isDeepStrictEqual } from 'node:util';
import { refusalWithoutAssignments } from '../../src/engine/admission.ts';
import { applyEvent, recordDecisions } from '../../src/engine/apply-event.ts';
import type { AssignmentState } from '../../src/engine/assignment.ts';
import { candidatesAt, compileCatalog, type RuleCatalog } from '../../src/engine/catalog.ts';
import type { Decision } from '../../src/engine/decision.ts';
import type { MissionPlan } from '../../src/engine/missions/mission-plan.ts';
import type { CampaignRule, MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { calendarOfZone } from '../../src/engine/time/calendar.ts';
import type { Timestamp } from '../../src/kernel/time/timestamp.ts';
import { ONE, type Amount } from '../../src/kernel/amount.ts';

/** A day whose local noon is far from every clock change. */
export const MONDAY = Date.parse('2026-06-01T12:00:00Z');
export const HOUR = 3_600_000;

/** A whole number as an Amount. */
export function units(count: number): Amount {
  return BigInt(count) * ONE;
}

/** A standalone MISSION of ten logins; `changes` adapt it to the test. */
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

/** An account with its assignments: every event builds on the previous ones. */
export type Player = AccountContext & {
  readonly assignments: Map<string, AssignmentState>;
  readonly catalog: RuleCatalog;
  plan(missionId?: string): MissionPlan;
  /** Sends an event to all missions of the catalog, and keeps their decisions. */
  send(event?: Sent): Decision[];
};

/** An event: the times of its occurrence, acceptance and application; all three are equal by default. */
export type Sent = {
  readonly code?: string;
  readonly amount?: Amount;
  readonly attributes?: AttributeValues;
  readonly at?: Timestamp | string;
  readonly acceptedAt?: Timestamp | string | undefined;
  readonly now?: Timestamp | string;
  /** Whether it is judged as of `at`, which is then also the time of its acceptance. */
  readonly backfilled?: boolean | undefined;
};

/** A player in UTC and in the audience `everyone`, with these rules. */
export function player(
  missions: readonly MissionRule[],
  campaigns: readonly CampaignRule[] = [],
  { timeZone = 'UTC', ...changes }: Partial<AccountContext> & { readonly timeZone?: string } = {},
): Player {
  const catalog = compileCatalog(missions, campaigns);
  const account = {
    accountId: 'a1',
    createdAt: -Infinity,
    attributes: NO_ATTRIBUTES,
    calendar: calendarOfZone(timeZone),
    audiences: new Map([['everyone', -Infinity]]),
    audienceNames: [],
    statistics: NO_VALUES,
    levels: NO_LEVELS,
    audiencesByRule: new Set<string>(),
    assignments: new Map<string, AssignmentState>(),
    ...changes,
  } as AccountContext & { assignments: Map<string, AssignmentState> };
  return {
    ...account,
    catalog,
    plan: (missionId = 'm1') => catalog.missions.get(missionId) ?? fail(missionId),
    send({ code = 'LOGIN', amount = ONE, attributes = NO_ATTRIBUTES, backfilled = false, ...sent } = {}) {
      const { at = MONDAY, now = at, acceptedAt = backfilled ? at : now } = sent;
      const times = {
        occurredAt: instant(at),
        acceptedAt: instant(acceptedAt),
        ...(backfilled && { isBackfilled: true }),
      };
      const event = { programmaticCode: code, amount, attributes, ...times };
      const plans = [...catalog.missions.values()];
      const decisions = applyEvent(plans, account, event, instant(now));
      const { plans: candidates } = candidatesAt(catalog, code, event.occurredAt);
      expectSameEffects(applyEvent(candidates, account, event, instant(now)), decisions);
      const movable = plans.filter((plan) => refusalWithoutAssignments(plan, account, event) === undefined);
      expectSameEffects(applyEvent(movable, account, event, instant(now)), decisions);
      recordDecisions(account.assignments, decisions);
      return decisions;
    },
  };
}

/** The reason of the only decision, or its kind if it is not a refusal. */
export function reasonOf(decisions: readonly Decision[]): string {
  const [decision] = decisions;
  return decision?.kind === 'uncounted' ? decision.reason : String(decision?.kind);
}

/** An instant in milliseconds from its ISO text. */
export function instant(time: Timestamp | string): Timestamp {
  return typeof time === 'number' ? time : Date.parse(time);
}

/** Assignments of missions that the event cannot move may be missing: the service does not load them either. */
function expectSameEffects(narrowed: readonly Decision[], all: readonly Decision[]): void {
  const effects = (decisions: readonly Decision[]) => decisions.filter(({ kind }) => kind !== 'uncounted');
  if (!isDeepStrictEqual(effects(narrowed), effects(all)))
    throw new Error('candidatesAt or refusalWithoutAssignments leaves out what an event moves');
}

function fail(missionId: string): never {
  throw new Error(`no mission ${missionId}`);
}
