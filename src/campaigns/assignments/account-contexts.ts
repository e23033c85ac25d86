import type { Account } from '../../accounts/account.ts';
import { acceptedAttributes, type AttributeValues, NO_ATTRIBUTES } from '../../attributes/attribute-values.ts';
import { audiencesOfAccounts, formerAudiencesOfAccounts } from '../../audiences/audiences.queries.ts';
import type { AccountContext } from '../../engine/account-context.ts';
import type { AccountWithoutAssignments } from '../../engine/missions/mission-plan.ts';
import { type Calendar, calendarOf } from '../../engine/time/calendar.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { AssignmentState } from '../../engine/assignment.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { type AssignmentChoice, loadAssignments } from './assignments.queries.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';

/** An account as the rules see it. The decisions of a batch are written into its assignments. */
export type LoadedAccount = AccountContext & { readonly assignments: Map<string, AssignmentState> };

/**
 * The audiences and calendars of some accounts, by id. No membership is read if every mission of the client is for everyone.
 * @param lateFrom the time of the earliest late event; memberships that ended after it are then also read
 */
export async function accountsWithoutAssignments(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  lateFrom?: Timestamp,
): Promise<Map<string, AccountWithoutAssignments>> {
  const { everyone, isForEveryone } = audiencesOf(catalog);
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  // In this order, an account that leaves between the two statements is in both results. In the reverse order it could be in none.
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
        attributes: attributesOf(catalog, account),
        calendar: calendarOfAccount(catalog, account),
        audiences: manual ? new Map([...manual, ...everyone]) : everyone,
        formerAudiences: former?.get(account.id),
      };
      return [account.id, member];
    }),
  );
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
  /** Whether every mission is for everyone, so that no rule needs memberships. */
  readonly isForEveryone: boolean;
};

const audiencesByCatalog = new WeakMap<ClientCatalog, Audiences>();

/** A catalogue never changes, so its audiences are computed once. */
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
 * The audiences, calendars and selected assignments of some accounts, by id.
 * @param withoutAssignments the result of {@link accountsWithoutAssignments}, if the caller has it; a caller with late events must pass it
 */
export async function loadAccountContexts(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  accounts: readonly Account[],
  selection: AssignmentChoice,
  withoutAssignments?:
    | ReadonlyMap<string, AccountWithoutAssignments>
    | Promise<ReadonlyMap<string, AccountWithoutAssignments>>,
): Promise<Map<string, LoadedAccount>> {
  const accountIds = [...new Set(accounts.map((account) => account.id))];
  const [members, assignments] = await Promise.all([
    withoutAssignments ?? accountsWithoutAssignments(uow, catalog, accounts),
    loadAssignments(uow, catalog.rules, { accountIds, ...selection }),
  ]);
  const contexts = new Map<string, LoadedAccount>();
  for (const id of accountIds) {
    contexts.set(id, { ...members.get(id)!, assignments: assignments.get(id) ?? new Map() });
  }
  return contexts;
}

/** One account to load. */
export type AccountContextRequest = {
  readonly account: Account;
  readonly catalog: ClientCatalog;
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
  const contexts = await loadAccountContexts(uow, requests[0]!.catalog, accounts, { periodKeys });
  return new Map(requests.map((request) => [request, contexts.get(request.account.id)!]));
});
