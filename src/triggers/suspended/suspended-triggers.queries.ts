import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { suspendedTriggerTable } from './suspended-trigger.entity.ts';

const NAMES = [
  'id',
  'programmaticCode',
  'namedAccountId',
  'idType',
  'metadata',
  'operationId',
  'occurredAt',
  'acceptedAt',
] as const;

const COLUMNS = propertiesOf(suspendedTriggerTable, NAMES);

const RETURNED = propertiesOf(suspendedTriggerTable, NAMES, 's');

/** An event of a suspended account. Metadata and operation id are null if the request had none. */
export type SuspendedTrigger = RowOf<typeof COLUMNS>;

/** Stores events of suspended accounts, which the transaction has locked. */
export const insertSuspended = insertInto(suspendedTriggerTable);

const OF_ACCOUNT = { from: 'suspended_trigger', key: { account_id: '$2::uuid' }, many: true } as const;

/** The number of events that wait for an account. */
export async function countSuspended(uow: UnitOfWork, accountId: string): Promise<number> {
  const [row] = await uow.query<{ count: number }>(
    `select count(*)::int as count from ${lookUpByKey({ ...OF_ACCOUNT, select: 'id' })} s`,
    [uow.clientId, accountId],
  );
  return row!.count;
}

/**
 * Removes all events of an account, and returns them in the order of `occurredAt`. An event that another transaction withdraws at the same
 * time is not among them.
 */
export async function takeSuspended(uow: UnitOfWork, accountId: string): Promise<SuspendedTrigger[]> {
  const events = await uow.query<SuspendedTrigger>(
    `delete from suspended_trigger s using ${lookUpByKey({ ...OF_ACCOUNT, select: 'ctid as row_ctid' })} own
      where s.client_id = $1 and s.ctid = own.row_ctid returning ${RETURNED}`,
    [uow.clientId, accountId],
  );
  return events.toSorted(
    (one, other) => one.occurredAt.getTime() - other.occurredAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}

/** An event by its account, code and operation id. */
export type NamedSuspended = {
  readonly accountId: string;
  readonly programmaticCode: string;
  readonly operationId: string;
};

/** The events with these operation ids, in their order; undefined for one that does not wait. */
export async function suspendedByOperation(
  uow: UnitOfWork,
  events: readonly NamedSuspended[],
): Promise<(SuspendedTrigger | undefined)[]> {
  if (events.length === 0) return [];
  const rows = await uow.query<SuspendedTrigger & { readonly index: number }>(
    `select s.*, wanted.index::int
       from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality as wanted(account_id, code, operation_id, index)
      cross join ${lookUpByKey({
        select: COLUMNS,
        from: 'suspended_trigger',
        key: { account_id: 'wanted.account_id' },
        and: 'programmatic_code = wanted.code and operation_id = wanted.operation_id',
        many: true,
      })} s`,
    [
      uow.clientId,
      events.map(({ accountId }) => accountId),
      events.map(({ programmaticCode }) => programmaticCode),
      events.map(({ operationId }) => operationId),
    ],
  );
  const byIndex = new Map(rows.map(({ index, ...event }) => [index - 1, event]));
  return events.map((_, index) => byIndex.get(index));
}

/** Removes one event. Returns false if it is not there any more. */
export async function takeOneSuspended(uow: UnitOfWork, id: string): Promise<boolean> {
  const rows = await uow.query(`delete from suspended_trigger where client_id = $1 and id = $2 returning id`, [
    uow.clientId,
    id,
  ]);
  return rows.length > 0;
}
