import type { Account } from '../../accounts/account.ts';
import { audiencesOfAccounts, formerAudiencesOfAccounts } from '../../audiences/audiences.queries.ts';
import type { AccountContext } from '../../engine/account-context.ts';
import { type Calendar, calendarOf } from '../../engine/time/calendar.ts';
import type { Timestamp } from '../../engine/time/timestamp.ts';
import type { AssignmentState } from '../../engine/assignment.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { type AssignmentChoice, loadAssignments } from '../assignments/assignments.queries.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/** An account as the rules see it, with assignments that decisions may be entered into. */
export type LiveAccount = AccountContext & { readonly assignments: Map<string, AssignmentState> };

/** An account as the rules see it, without what it has done. */
export type Membership = Omit<LiveAccount, 'assignments'>;

/**
 * Some accounts, by id: their audiences and calendars. Of clients whose missions are all for everyone, memberships are not read.
 * @param lateFrom when the earliest event occurred that is to be applied late: memberships that have ended since are read, too.
 * Undefined where there is none such
 */
export async function membershipsOf(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  lateFrom?: Timestamp,
): Promise<Map<string, Membership>> {
  const { everyone, isForEveryone } = audiencesOf(catalog);
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  // In this order: who leaves between the two statements is in both, and not in neither.
  const [audiences, former] = isForEveryone
    ? [new Map<string, Map<string, number>>()]
    : await Promise.all([
        audiencesOfAccounts(uow, accountIds),
        lateFrom === undefined ? undefined : formerAudiencesOfAccounts(uow, accountIds, new Date(lateFrom)),
      ]);
  return new Map(
    accounts.map((account) => {
      const manual = audiences.get(account.id);
      const member = {
        accountId: account.id,
        createdAt: account.createdAt.getTime(),
        calendar: calendarOfAccount(catalog, account),
        audiences: manual ? new Map([...manual, ...everyone]) : everyone,
        formerAudiences: former?.get(account.id),
      };
      return [account.id, member];
    }),
  );
}

/** The calendar on which the periods of an account are counted. */
export function calendarOfAccount({ calendar }: ClientCatalog, { timeZone, pastZones }: Account): Calendar {
  return calendarOf({ timeZone, past: pastZones }, calendar);
}

type Audiences = {
  readonly everyone: ReadonlyMap<string, Timestamp>;
  /** Whether every mission is, so that no rule asks who is a member of what. */
  readonly isForEveryone: boolean;
};

const audiencesByCatalog = new WeakMap<ClientCatalog, Audiences>();

/** A catalogue never changes, so that this is found out once. */
function audiencesOf(catalog: ClientCatalog): Audiences {
  const known = audiencesByCatalog.get(catalog);
  if (known) return known;
  const everyone = new Map(catalog.everyoneAudienceIds.map((id) => [id, -Infinity]));
  const isForEveryone = catalog.rules.missions
    .values()
    .every(({ audienceIds }) => audienceIds === undefined || audienceIds.some((id) => everyone.has(id)));
  const audiences = { everyone, isForEveryone };
  audiencesByCatalog.set(catalog, audiences);
  return audiences;
}

/**
 * Some accounts as the rules see them, by id: their audiences, calendars and the assignments that are asked for.
 * @param memberships what {@link membershipsOf} gives, if the caller needed it before or applies late events
 */
export async function liveAccounts(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  selection: AssignmentChoice,
  memberships?: ReadonlyMap<string, Membership> | Promise<ReadonlyMap<string, Membership>>,
): Promise<Map<string, LiveAccount>> {
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  const [members, assignments] = await Promise.all([
    memberships ?? membershipsOf(uow, catalog, accounts),
    loadAssignments(uow, catalog.rules, { accountIds, ...selection }),
  ]);
  const live = new Map<string, LiveAccount>();
  for (const id of accountIds) {
    live.set(id, { ...members.get(id)!, assignments: assignments.get(id) ?? new Map() });
  }
  return live;
}

/** One account to see as the rules do. */
export type LiveAccountRequest = {
  readonly account: Account;
  readonly catalog: ClientCatalog;
  /** Assignments of other periods may come with them, where somebody else asks for those in the same moment. */
  readonly periodKeys: readonly string[];
};

/** {@link liveAccounts} of one account, together with the others that are asked for in the same moment. */
export async function liveAccount(uow: UnitOfWork, request: LiveAccountRequest): Promise<LiveAccount> {
  return (await oneLiveAccount(uow, request))!;
}

const oneLiveAccount = batchedLookUp(async (uow, requests: readonly LiveAccountRequest[]) => {
  const accounts = requests.map(({ account }) => account);
  const periodKeys = [...new Set(requests.flatMap((request) => request.periodKeys))];
  const live = await liveAccounts(uow, requests[0]!.catalog, accounts, { periodKeys });
  return new Map(requests.map((request) => [request, live.get(request.account.id)!]));
});
