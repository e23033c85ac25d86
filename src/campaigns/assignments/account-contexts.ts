import type { Account } from '../../accounts/account.ts';
import { acceptedAttributes, type AttributeValues, NO_ATTRIBUTES } from '../../attributes/attribute-values.ts';
import { audiencesOfAccounts, formerAudiencesOfAccounts } from '../../audiences/audiences.queries.ts';
import type { AccountContext } from '../../engine/account-context.ts';
import type { JudgedAccount } from '../../engine/missions/event-expression.ts';
import { NO_LEVELS } from '../../engine/levels/account-levels.ts';
import { loadLevels } from '../../levels/accounts/load-levels.ts';
import { NO_VALUES } from '../../engine/statistics/statistic-values.ts';
import type { FreezeLedger } from '../../engine/freezes/freeze-ledger.ts';
import { freezesOf, freezingPlans } from '../freezes/freezes-of-accounts.ts';
import { freezeLedgers } from '../freezes/streak-freezes.queries.ts';
import { vacationsOf } from '../vacations/vacations.queries.ts';
import type { AccountWithoutAssignments, MissionPlan } from '../../engine/missions/mission-plan.ts';
import { zoneOf } from '../../kernel/time/zone-history.ts';
import { type Calendar, calendarOf } from '../../engine/time/calendar.ts';
import type { Vacation } from '../../engine/time/vacation.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentState } from '../../engine/assignment.ts';
import type { WantedValues } from '../../statistics/values/load-values.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { type AssignmentChoice, loadAssignments } from './assignments.queries.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/** An account as the rules see it. The decisions of a batch are written into its assignments. */
export type LoadedAccount = AccountContext & { readonly assignments: Map<string, AssignmentState> };

/**
 * The audiences and calendars of some accounts, by id. No membership is read if every mission of the client is for everyone, or for the
 * accounts of an expression, and no expression reads the names of audiences.
 * @param now the time at which expressions of audiences are evaluated
 * @param lateFrom the time of the earliest late event; memberships that ended after it are then also read
 * @param events the events that will be judged, in whose periods statistics are read; with any, levels are read too
 */
export async function accountsWithoutAssignments(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  { now, lateFrom, events = [] }: JudgedAt,
): Promise<Map<string, AccountWithoutAssignments>> {
  const { everyone, needsMembers } = audiencesOf(catalog);
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  const needsLevels = catalog.levelTracks.size > 0 && (events.length > 0 || catalog.audiencesReadStatistics);
  // In this order, an account that leaves between the two statements is in both results. In the reverse order it could be in none.
  const [assigned, former, { values, held }] = await Promise.all([
    needsMembers ? audiencesOfAccounts(uow, accountIds) : new Map<string, Map<string, number>>(),
    needsMembers && lateFrom !== undefined ? formerAudiencesOfAccounts(uow, accountIds, new Date(lateFrom)) : undefined,
    loadLevels(uow, {
      ...{ accountIds, now },
      tracks: needsLevels ? [...catalog.levelTracks.values()] : [],
      statistics: catalog.readStatistics,
      instants: [
        ...events,
        ...(catalog.audiencesReadStatistics ? accountIds.map((accountId) => ({ accountId, at: now.getTime() })) : []),
      ],
    }),
  ]);
  return new Map(
    accounts.map((account) => {
      const manual = assigned.get(account.id);
      const judged = judgedAccount(catalog, account, {
        audienceNames: namesOf(catalog, manual?.keys()),
        statistics: values.get(account.id),
        levels: needsLevels
          ? { tracks: catalog.levelTracks, held: held.get(account.id) ?? new Map(), now: now.getTime() }
          : NO_LEVELS,
      });
      const audiencesByRule = audiencesByRuleOf(catalog, judged, now.getTime());
      const audiences =
        manual === undefined && audiencesByRule.size === 0
          ? everyone
          : new Map([...(manual ?? []), ...everyone, ...sinceEver(audiencesByRule)]);
      const formerAudiences = former?.get(account.id);
      return [account.id, { accountId: account.id, ...judged, audiences, audiencesByRule, formerAudiences }];
    }),
  );
}

type JudgedAt = {
  readonly now: Date;
  readonly lateFrom?: Timestamp | undefined;
  readonly events?: readonly WantedValues[];
};

const NONE: ReadonlySet<string> = new Set();

/** Audiences without a time of joining. */
function sinceEver(ids: ReadonlySet<string>): (readonly [string, Timestamp])[] {
  return [...ids].map((id) => [id, -Infinity]);
}

/** An account with its RULE audiences as of an instant, by its present attributes and statistics. */
export function asOf<Known extends AccountWithoutAssignments>(
  catalog: ClientCatalog,
  account: Known,
  at: Timestamp,
): Known {
  if (catalog.ruleAudiences.length === 0) return account;
  const audiencesByRule = audiencesByRuleOf(catalog, account, at);
  const others = [...account.audiences].filter(([id]) => !account.audiencesByRule.has(id));
  return { ...account, audiences: new Map([...others, ...sinceEver(audiencesByRule)]), audiencesByRule };
}

/** The RULE audiences whose expressions hold for an account. */
function audiencesByRuleOf(
  { ruleAudiences }: ClientCatalog,
  account: JudgedAccount,
  now: Timestamp,
): ReadonlySet<string> {
  if (ruleAudiences.length === 0) return NONE;
  const context = { account, timeZone: zoneOf(account.calendar, now), now };
  return new Set(ruleAudiences.flatMap(({ id, rule }) => (rule.run(context) === true ? [id] : [])));
}

/** The parts of an account on which expressions over events depend: the names of audiences and statistics for expressions that read them. */
export function judgedAccount(
  catalog: ClientCatalog,
  account: Account,
  {
    audienceNames = NO_NAMES,
    statistics = NO_VALUES,
    levels = NO_LEVELS,
  }: Partial<Pick<JudgedAccount, 'audienceNames' | 'statistics' | 'levels'>>,
): JudgedAccount {
  return {
    createdAt: account.createdAt.getTime(),
    attributes: attributesOf(catalog, account),
    calendar: calendarOfAccount(catalog, account),
    audienceNames,
    statistics,
    levels,
  };
}

const NO_NAMES: readonly string[] = [];

/** The names of an account's audiences, each once. @param audienceIds its MANUAL audiences */
function namesOf(
  { audienceNames, everyoneAudienceIds }: ClientCatalog,
  audienceIds: Iterable<string> = [],
): readonly string[] {
  if (audienceNames === undefined) return NO_NAMES;
  return [...new Set([...audienceIds, ...everyoneAudienceIds].flatMap((id) => audienceNames.get(id) ?? []))].toSorted();
}

/** The present attributes of an account, as expressions see them. */
function attributesOf({ accountAttributes }: ClientCatalog, { attributes }: Account): AttributeValues {
  if (attributes === undefined || accountAttributes.length === 0) return NO_ATTRIBUTES;
  return acceptedAttributes(attributes, accountAttributes);
}

/** The calendar for the periods of an account. */
export function calendarOfAccount({ calendar }: ClientCatalog, { timeZone, pastZones }: Account): Calendar {
  return calendarOf({ timeZone, past: pastZones }, calendar);
}

type Audiences = {
  readonly everyone: ReadonlyMap<string, Timestamp>;
  /** Whether memberships must be read: a mission or a leaderboard addresses assigned accounts, or an expression reads the names of audiences. */
  readonly needsMembers: boolean;
};

const audiencesByCatalog = new WeakMap<ClientCatalog, Audiences>();

/** A catalogue never changes, so its audiences are computed once. */
function audiencesOf(catalog: ClientCatalog): Audiences {
  const known = audiencesByCatalog.get(catalog);
  if (known) return known;
  const everyone = new Map(catalog.everyoneAudienceIds.map((id) => [id, -Infinity]));
  const byRule = new Set(catalog.ruleAudiences.map(({ id }) => id));
  const needsMembers =
    catalog.audienceNames !== undefined ||
    catalog.rules.missions
      .values()
      .some(
        ({ audienceIds = [] }) =>
          !audienceIds.some((id) => everyone.has(id)) && audienceIds.some((id) => !byRule.has(id)),
      ) ||
    catalog.leaderboards
      .values()
      .some(({ byAudience }) => byAudience.keys().some((id) => !everyone.has(id) && !byRule.has(id)));
  const audiences = { everyone, needsMembers };
  audiencesByCatalog.set(catalog, audiences);
  return audiences;
}

/**
 * The audiences, calendars and selected assignments of some accounts, by id.
 * @param withoutAssignments the result of {@link accountsWithoutAssignments}, if the caller has it; a caller with late events must pass it
 */
export async function loadAccountContexts(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  selection: AssignmentChoice,
  now: Date,
  withoutAssignments?:
    | ReadonlyMap<string, AccountWithoutAssignments>
    | Promise<ReadonlyMap<string, AccountWithoutAssignments>>,
): Promise<Map<string, LoadedAccount>> {
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  const freezing = freezingPlans(catalog);
  const [members, assignments, ledgers, vacations] = await Promise.all([
    withoutAssignments ?? accountsWithoutAssignments(uow, catalog, accounts, { now }),
    loadAssignments(uow, catalog.rules, { accountIds, ...withStreaks(selection, freezing) }),
    freezing.length > 0 ? freezeLedgers(uow, accountIds) : NO_LEDGERS,
    hasVacations(catalog) ? vacationsOf(uow, accountIds) : NO_VACATIONS,
  ]);
  const contexts = new Map<string, LoadedAccount>();
  for (const id of accountIds) {
    const away = vacations.get(id);
    const account = {
      ...members.get(id)!,
      ...(away && { vacations: away }),
      assignments: assignments.get(id) ?? new Map(),
    };
    const freezes = freezesOf(catalog, ledgers.get(id), account, now.getTime());
    contexts.set(id, freezes === undefined ? account : { ...account, freezes });
  }
  return contexts;
}

const NO_LEDGERS: ReadonlyMap<string, FreezeLedger> = new Map();
const NO_VACATIONS: ReadonlyMap<string, readonly Vacation[]> = new Map();

/** Whether accounts of the client announce vacations, which their streaks then need. */
export function hasVacations({ streakSettings: { vacationDaysMax = 0 } }: ClientCatalog): boolean {
  return vacationDaysMax > 0;
}

/** All streaks of an account share its freezes, so they are read together. */
function withStreaks(selection: AssignmentChoice, streaks: readonly MissionPlan[]): AssignmentChoice {
  const { missionsOf } = selection;
  if (missionsOf === undefined || streaks.length === 0) return selection;
  const ids = streaks.map(({ missionId }) => missionId);
  return {
    ...selection,
    missionsOf: new Map([...missionsOf].map(([account, own]) => [account, [...new Set([...own, ...ids])]])),
  };
}

/** One account to load. */
export type AccountContextRequest = {
  readonly account: Account;
  readonly catalog: ClientCatalog;
  readonly now: Date;
  /** The result may have assignments of more periods, if a request in the same batch names them. */
  readonly periodKeys: readonly string[];
};

/** {@link loadAccountContexts} for one account. Concurrent requests share the statements. */
export async function loadAccountContext(uow: UnitOfWork, request: AccountContextRequest): Promise<LoadedAccount> {
  return (await loadOneOfBatch(uow, request))!;
}

const loadOneOfBatch = batchedLookUp(async (uow, requests: readonly AccountContextRequest[]) => {
  const accounts = requests.map(({ account }) => account);
  const periodKeys = [...new Set(requests.flatMap((request) => request.periodKeys))];
  const contexts = await loadAccountContexts(uow, requests[0]!.catalog, accounts, { periodKeys }, requests[0]!.now);
  return new Map(requests.map((request) => [request, contexts.get(request.account.id)!]));
});
