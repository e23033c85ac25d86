import { CampaignService } from '../../gen/laurel/v1/campaign_service_pb.ts';
import { ChestService } from '../../gen/laurel/v1/chest_service_pb.ts';
import { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { StreakFreezeService } from '../../gen/laurel/v1/streak_freeze_service_pb.ts';
import { indexAccounts } from '../accounts/account-index.ts';
import { selectAccounts } from '../accounts/accounts.queries.ts';
import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { newestOfAccount, type TimelineWindow } from '../persistence/subjects/timeline-source.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { KeptCall } from './refused-call.ts';
import { refusedCallTable } from './refused-call.entity.ts';

const insert = insertInto(refusedCallTable);

/** Adds refused calls of the unit of work's client. Only accounts that exist are stored, by id. */
export async function writeRefusedCalls(uow: UnitOfWork, calls: readonly KeptCall[]): Promise<void> {
  const keys = calls.flatMap(({ account }) => (account === undefined ? [] : [account]));
  const ids = keys.flatMap((key) => ('id' in key ? [key.id] : []));
  const externalIds = keys.flatMap((key) => ('id' in key ? [] : [key.externalId]));
  const accounts = indexAccounts(await selectAccounts(uow, { ids, externalIds }));
  await insert(
    uow,
    calls.map((call) => ({
      id: call.id,
      operation: call.operation,
      credentialId: call.credentialId,
      accountToken: call.accountToken,
      statusCode: call.statusCode,
      code: call.code,
      message: call.message,
      accountId: (call.account && accounts.find(call.account)?.id) ?? null,
      programmaticCode: call.programmaticCode ?? null,
      resourceId: call.resourceId ?? null,
      operationId: call.operationId ?? null,
      field: call.field ?? null,
    })),
  );
}

const REFUSED_CALL = propertiesOf(refusedCallTable, [
  ...(['id', 'operation', 'credentialId', 'accountToken', 'statusCode', 'code', 'message', 'accountId'] as const),
  ...(['programmaticCode', 'resourceId', 'operationId', 'field'] as const),
]);

/** A refused call as it is stored. */
export type RefusedCallRow = RowOf<typeof REFUSED_CALL>;

/** The calls to list; a condition that is left out is met by all. */
export type RefusedCallsQuery = {
  readonly operation?: string | undefined;
  readonly credentialId?: string | undefined;
  readonly code?: string | undefined;
  readonly accountId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only calls before this one. */
  readonly before?: string | undefined;
};

/** Refused calls, the latest first, at most `limit`. */
export async function refusedCalls(
  uow: UnitOfWork,
  { operation, credentialId, code, accountId, since, until, before }: RefusedCallsQuery,
  limit: number,
): Promise<RefusedCallRow[]> {
  const values: unknown[] = [uow.clientId, limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'client_id = $1',
    ...(operation === undefined ? [] : [`operation = ${parameter(operation)}`]),
    ...(credentialId === undefined ? [] : [`credential_id = ${parameter(credentialId)}::uuid`]),
    ...(code === undefined ? [] : [`code = ${parameter(code)}`]),
    ...(accountId === undefined ? [] : [`account_id = ${parameter(accountId)}::uuid`]),
    ...(since === undefined ? [] : [`id >= ${parameter(firstIdAt(since))}::uuid`]),
    ...(until === undefined ? [] : [`id < ${parameter(firstIdAt(until))}::uuid`]),
    ...(before === undefined ? [] : [`id < ${parameter(before)}::uuid`]),
  ];
  return uow.query(
    `select ${REFUSED_CALL} from refused_call where ${conditions.join(' and ')} order by id desc limit $2`,
    values,
  );
}

/** The latest calls about several accounts: an account, and those that were merged into it. */
export async function refusedCallsOf(
  uow: UnitOfWork,
  accountIds: readonly string[],
  query: RefusedCallsQuery,
  limit: number,
): Promise<RefusedCallRow[]> {
  const pages = await Promise.all(accountIds.map((accountId) => refusedCalls(uow, { ...query, accountId }, limit)));
  return pages
    .flat()
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);
}

/** The operations with which an account gets or claims something. */
const ORDERS: ReadonlySet<string> = new Set(
  [
    CampaignService.method.claimCampaign,
    ChestService.method.openChest,
    LoyaltyService.method.redeemProduct,
    MarketplaceService.method.freezePublication,
    MarketplaceService.method.redeemPublication,
    StreakFreezeService.method.buyStreakFreezes,
  ].map(({ parent, name }) => `${parent.name}.${name}`),
);

/** Rows of one statement, and the most statements of one page: what is behind 10,000 refused events is left out. */
const READ_AT_ONCE = 200;
const READS_MAX = 50;

/**
 * The latest refused purchases and claims of an account within a window. They are chosen in memory: an index of them would be written with
 * every refused event, and few accounts have more than a page of refused calls.
 */
export async function refusedOrders(
  uow: UnitOfWork,
  accountId: string,
  window: TimelineWindow,
  limit: number,
): Promise<RefusedCallRow[]> {
  const found: RefusedCallRow[] = [];
  let { last } = window;
  for (let reads = 0; reads < READS_MAX && found.length < limit; reads += 1) {
    const rows = await newestOfAccount<RefusedCallRow>(
      uow,
      { select: REFUSED_CALL, table: refusedCallTable.meta.tableName },
      { accountId, window: { ...window, last }, limit: READ_AT_ONCE },
    );
    found.push(...rows.flatMap(({ row }) => (ORDERS.has(row.operation) ? [row] : [])));
    if (rows.length < READ_AT_ONCE) break;
    last = rows.at(-1);
  }
  return found.slice(0, limit);
}

/** Deletes calls about an account, at most `limit`. @returns their number */
export async function deleteCallsOf(uow: UnitOfWork, accountId: string, limit: number): Promise<number> {
  const rows = await uow.query(
    `delete from refused_call d
      using (select ctid as row_ctid from refused_call
              where client_id = $1::uuid and account_id = $2 order by client_id, account_id, id limit $3) old
      where d.client_id = $1::uuid and d.ctid = old.row_ctid returning 1 as deleted`,
    [uow.clientId, accountId, limit],
  );
  return rows.length;
}
