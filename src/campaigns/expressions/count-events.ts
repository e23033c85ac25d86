import type { Account } from '../../accounts/account.ts';
import { accountsById } from '../../accounts/resolving/resolve-accounts.ts';
import { audienceNamesOf } from '../../audiences/audience-names.queries.ts';
import { type EventContext, type EventExpression, MISSION_PROGRESS } from '../../engine/missions/event-expression.ts';
import { readsLevels } from '../../engine/levels/level-variables.ts';
import { readsStatistics } from '../../engine/statistics/statistic-variables.ts';
import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import { judgedAccount } from '../assignments/account-contexts.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import type { DeclaredEvents } from './expression-scope.ts';
import { judgedAgain, type KeptEvent } from './kept-event.ts';

/** An event that was applied, as far as the journal has kept it. @property accountId null if it is not known any more */
export type RecentEvent = KeptEvent & { readonly accountId: string | null };

/** Reads the latest events of some codes that were applied, the latest first. */
export type RecentEvents = (uow: UnitOfWork, wanted: WantedEvents) => Promise<readonly RecentEvent[]>;

/** The past events to read. */
export type WantedEvents = {
  readonly codes: readonly string[];
  readonly eventsMax: number;
  /** Whether the time is over; the events read so far are answered then. */
  readonly isOver: () => boolean;
};

/** The events of a code with the expression over them. */
export type JudgedEvents = DeclaredEvents & { readonly expression: EventExpression };

/** The result of a count of events. `lacking` events lacked an attribute on which the expression depended; some of them are `undecided`. */
export type EventCount = {
  readonly matching: number;
  readonly examined: number;
  readonly undecided: number;
  readonly lacking: number;
};

/**
 * The outcome of an expression over a past event. `lacks`: an attribute was missing. `lacksAll`: the journal has no attributes of the
 * event, because it had none, or is older than their declaration. `unknown`: the account, the amount, the mission's progress or a statistic
 * before the event is not known any more.
 */
type Outcome = 'holds' | 'fails' | 'lacks' | 'lacksAll' | 'unknown';

/** Past events with their accounts, and the names of the audiences of these. */
export type PastEvents = {
  readonly events: readonly RecentEvent[];
  readonly accounts: ReadonlyMap<string, Account>;
  readonly audienceNames: ReadonlyMap<string, readonly string[]>;
};

/** The latest events of some codes, with the accounts that exist by id: see {@link RecentEvents}. */
export async function pastEvents(
  uow: UnitOfWork,
  recentEvents: RecentEvents,
  wanted: WantedEvents,
): Promise<PastEvents> {
  const events = await recentEvents(uow, wanted);
  const accounts = await accountsById(
    uow,
    events.flatMap(({ accountId }) => accountId ?? []),
  );
  return { events, accounts, audienceNames: await audienceNamesOf(uow, [...accounts.keys()]) };
}

/** Counts the past events of one code that occurred from `since` on: see {@link countEvents}. */
export function countSince(
  past: PastEvents,
  judged: JudgedEvents,
  {
    since,
    catalog,
    isOver,
  }: { readonly since: Timestamp; readonly catalog: ClientCatalog; readonly isOver: () => boolean },
): Promise<EventCount> {
  const events = past.events.filter(({ occurredAt }) => occurredAt.getTime() >= since);
  return inTimeSlices(countEvents({ ...past, events }, new Map([[judged.code, judged]]), catalog, isOver));
}

/** Events in one step of a count: each takes up to 2,000 steps of its expression. */
const EVENTS_PER_STEP = 20;

/**
 * Counts the events for which an expression holds.
 * @param judged by code
 * @param isOver whether the time of the count is over; the rest is then not examined
 */
export function* countEvents(
  { events, accounts, audienceNames }: PastEvents,
  judged: ReadonlyMap<string, JudgedEvents>,
  catalog: ClientCatalog,
  isOver: () => boolean,
): Steps<EventCount> {
  const outcomes = { holds: 0, fails: 0, lacks: 0, lacksAll: 0, unknown: 0 } satisfies Record<Outcome, number>;
  let examined = 0;
  for (const event of events) {
    const account = event.accountId === null ? undefined : accounts.get(event.accountId);
    const outcome =
      account &&
      outcomeOf(
        event,
        judged.get(event.programmaticCode)!,
        judgedAccount(catalog, account, { audienceNames: audienceNames.get(account.id) }),
      );
    outcomes[outcome ?? 'unknown'] += 1;
    if ((examined += 1) % EVENTS_PER_STEP > 0) continue;
    if (isOver()) break;
    yield;
  }
  const { holds, lacks, lacksAll, unknown } = outcomes;
  return { matching: holds, examined, undecided: lacksAll + unknown, lacking: lacks + lacksAll };
}

function outcomeOf(kept: RecentEvent, { events, expression }: JudgedEvents, account: EventContext['account']): Outcome {
  const { names } = expression;
  if ((names.has('event.amount') && kept.amount === undefined) || names.has(MISSION_PROGRESS)) return 'unknown';
  // The value before the event is not kept.
  if (readsStatistics(expression) || readsLevels(expression)) return 'unknown';
  const holds = expression.run({ event: judgedAgain(kept, events.attributes), account });
  if (holds !== undefined) return holds === true ? 'holds' : 'fails';
  const lacksAll = kept.attributes === undefined && events.attributes.some(({ name }) => names.has(`event.${name}`));
  return lacksAll ? 'lacksAll' : 'lacks';
}
