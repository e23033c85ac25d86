import { retentionStartOf } from '../kernel/time/clock.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';
import { columnsOf, propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import { isUniqueViolation } from '../persistence/connections/failures.ts';
import { type DeletedBatch, deleteFirst } from '../persistence/delete-in-batches.ts';
import { type OperationClaim, isSameRequest, SECOND_USE_PREFIX, secondUseKey } from './claim.ts';
import { OperationTaken } from './operation-taken.ts';
import { operationTable } from './operation.entity.ts';

/**
 * The outcome of a claim. `done` has the stored answer of the first call. `mayBeSecondUse`: this client uses ids for more than
 * one operation, which {@link storeOperations} needs to know.
 */
export type ClaimOutcome =
  | { readonly state: 'free'; readonly mayBeSecondUse: boolean }
  | { readonly state: 'done'; readonly response: Buffer }
  | { readonly state: 'inProgress' }
  | { readonly state: 'reused' }
  /** The account and the answer were erased. */
  | { readonly state: 'erased' };

const PROPERTIES = ['scope', 'fingerprint', 'response', 'erased'] as const;
const STORED = columnsOf(operationTable, PROPERTIES);
const FIRST_USE = propertiesOf(operationTable, ['accountId', 'createdAt']);
const FOUND = columnsOf(operationTable, PROPERTIES, 'o');

/** The first use of an operation id: the account and the time. Undefined if it is not stored. */
export async function firstUseOf(uow: UnitOfWork, operationId: string): Promise<RowOf<typeof FIRST_USE> | undefined> {
  const [use] = await uow.query<RowOf<typeof FIRST_USE>>(
    `select o.* from ${lookUpByKey({ select: FIRST_USE, from: 'operation', key: { id: '$2::text' } })} o`,
    [uow.clientId, operationId],
  );
  return use;
}

/** An operation id with the operation that used it. */
export type OperationUse = Pick<OperationClaim, 'operationId' | 'scope'>;

/** The latest uses of these ids for their operations: the account and the time. Undefined for an id that is not stored for its operation. */
export async function usesOf(
  uow: UnitOfWork,
  wanted: readonly OperationUse[],
): Promise<(RowOf<typeof FIRST_USE> | undefined)[]> {
  if (wanted.length === 0) return [];
  const use = (key: string) =>
    lookUpByKey({ select: FIRST_USE, from: 'operation', key: { id: key }, and: 'scope = w.scope' });
  const rows = await uow.query<RowOf<typeof FIRST_USE> & { readonly index: number }>(
    `select w.index::int, coalesce(f."accountId", s."accountId") as "accountId", coalesce(f."createdAt", s."createdAt") as "createdAt"
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality as w(id, second, scope, index)
       left join ${use('w.id')} f on true
       left join ${use('w.second')} s on true
      where f."createdAt" is not null or s."createdAt" is not null`,
    [
      uow.clientId,
      wanted.map(({ operationId }) => operationId),
      wanted.map(({ operationId, scope }) => secondUseKey(scope, operationId)),
      wanted.map(({ scope }) => scope),
    ],
  );
  const byIndex = new Map(rows.map(({ index, ...found }) => [index - 1, found]));
  return wanted.map((_, index) => byIndex.get(index));
}

/** A stored operation; all columns are null without one. */
type StoredRow = { readonly [Column in keyof RowOf<typeof STORED>]: RowOf<typeof STORED>[Column] | null };

type ClaimRow = StoredRow & { free: boolean; shared: boolean | null };

/**
 * Claims operation ids for this transaction, in one statement. A claim is an advisory lock over (client, scope,
 * operation id) that ends with the transaction. A crash leaves no lock behind, and another process sees at once that
 * the id is in use, instead of waiting for a row. docs/decisions/0001 compares it with `INSERT ... ON CONFLICT`.
 *
 * The lock may be granted an instant after its holder committed, while this statement still reads the state before it.
 * {@link storeOperations} then meets the holder's row, and the caller starts over.
 */
export function claimOperations(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<ClaimOutcome[]> {
  return outcomesOf(uow, claims, 'pg_try_advisory_xact_lock(hashtextextended($1 || claim.scope || claim.id, 0))');
}

/** The current state of operation ids, without claiming them: an id that another transaction has claimed is `free`, not `inProgress`. */
export function lookUpOperations(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<ClaimOutcome[]> {
  return outcomesOf(uow, claims, 'true');
}

/**
 * A plain join, planned while the table was small, always reads the whole table: 244 us per event at 70,000 operations, against 4 us.
 * Second-use keys sort together, so one look-up shows whether there are any. Only then does a second statement run.
 */
async function outcomesOf(uow: UnitOfWork, claims: readonly OperationClaim[], isFree: string): Promise<ClaimOutcome[]> {
  if (claims.length === 0) return [];
  const rows = await uow.query<ClaimRow>(
    `select ${isFree} as free, ${FOUND},
            starts_with((select id from operation where client_id = $1::uuid and id >= '${SECOND_USE_PREFIX}'
                          order by client_id, id limit 1), '${SECOND_USE_PREFIX}') as shared
       from unnest($2::text[], $3::text[]) with ordinality as claim(id, scope, position)
       left join ${storedUnder('claim.id')} o on true
      order by claim.position`,
    [uow.clientId, claims.map(({ operationId }) => operationId), claims.map(({ scope }) => scope)],
  );
  const anyShared = rows[0]!.shared === true;
  const second = anyShared ? await secondUses(uow, claims) : [];
  return rows.map((row, index) => outcomeOf(claims[index]!, row, second[index]));
}

/** SQL for the operation stored under one key. */
function storedUnder(id: string): string {
  return lookUpByKey({ select: STORED, from: 'operation', key: { id } });
}

/** The operations stored for the claims under second-use keys. */
function secondUses(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<StoredRow[]> {
  return uow.query<StoredRow>(
    `select ${FOUND}
       from unnest($2::text[]) with ordinality as claim(key, position)
       left join ${storedUnder('claim.key')} o on true
      order by claim.position`,
    [uow.clientId, claims.map(({ scope, operationId }) => secondUseKey(scope, operationId))],
  );
}

/** A row of v0.1.0 has no scope and reserves its id for all operations. */
function outcomeOf(claim: OperationClaim, { free, ...first }: ClaimRow, second: StoredRow | undefined): ClaimOutcome {
  const isOthers = first.scope !== null && first.scope !== claim.scope;
  const { scope, fingerprint, response, erased } = isOthers || first.fingerprint === null ? (second ?? NOTHING) : first;
  if (fingerprint === null)
    return free ? { state: 'free', mayBeSecondUse: isOthers || second !== undefined } : IN_PROGRESS;
  if (!isSameRequest(claim, { scope, fingerprint })) return { state: 'reused' };
  if (erased === true) return { state: 'erased' };
  return { state: 'done', response: response ?? Buffer.alloc(0) };
}

const NOTHING: StoredRow = { scope: null, fingerprint: null, response: null, erased: null };
const IN_PROGRESS: ClaimOutcome = { state: 'inProgress' };

/** An operation that has taken effect in this transaction; `response` is the binary form of its answer. */
export type FinishedOperation = OperationClaim & {
  readonly response: Uint8Array;
  readonly mayBeSecondUse: boolean;
  /** The account of the answer, if the answer may not contain its id. */
  readonly accountId?: string | undefined;
};

/** A finished operation and the key of its row. */
type Keyed = { readonly operation: FinishedOperation; readonly key: string };

/**
 * Stores finished operations together with their effects: the first use of an id under the id, others under second-use keys. For a client
 * that uses each id once, one statement without a conflict check takes half the time. Call it last: it may wait for another transaction
 * that stores the same id.
 * @param mayBeSecondUse the result of {@link anyIsSecondUse}
 * @throws OperationTaken if another transaction has stored one of the ids since the claim
 */
export async function storeOperations(
  uow: UnitOfWork,
  finished: readonly FinishedOperation[],
  now: Date,
  mayBeSecondUse = anyIsSecondUse(finished),
): Promise<void> {
  if (finished.length === 0) return;
  const first = finished.map((operation) => ({ operation, key: operation.operationId }));
  if (!mayBeSecondUse) return insertAll(uow, first, now);
  const passedOver = await insertFree(uow, first, now);
  if (passedOver.length === 0) return;
  await requireOtherScopes(uow, passedOver);
  const second = passedOver.map((operation) => ({
    operation,
    key: secondUseKey(operation.scope, operation.operationId),
  }));
  return insertAll(uow, second, now);
}

/** Whether one of these may be a second use of its id, which has another key. */
export function anyIsSecondUse(finished: readonly FinishedOperation[]): boolean {
  if (finished.some((each) => each.mayBeSecondUse)) return true;
  return new Set(finished.map(({ operationId }) => operationId)).size < finished.length;
}

/** @throws OperationTaken if one of the keys exists; then the transaction is aborted */
async function insertAll(uow: UnitOfWork, keyed: readonly Keyed[], now: Date): Promise<void> {
  try {
    await insertRows(uow, newRows(keyed, now));
  } catch (error) {
    if (isUniqueViolation(error, 'operation_pkey')) throw new OperationTaken(keyed[0]!.operation.operationId);
    throw error;
  }
}

/** Inserts the operations with unused keys, and returns the others. */
async function insertFree(uow: UnitOfWork, keyed: readonly Keyed[], now: Date): Promise<FinishedOperation[]> {
  const rows = await insertUnlessThere(uow, newRows(keyed, now));
  const stored = new Set(rows.map(({ id, scope }) => secondUseKey(scope!, id)));
  return keyed.flatMap(({ operation, key }) => (stored.has(secondUseKey(operation.scope, key)) ? [] : [operation]));
}

const insertRows = insertInto(operationTable, { default: ['erased'], shared: ['createdAt'] });

const insertUnlessThere = insertInto(operationTable, {
  default: ['erased'],
  shared: ['createdAt'],
  conflict: { key: ['id'], do: 'nothing' },
  returning: columnsOf(operationTable, ['id', 'scope']),
});

/** The rows are sorted, so that two of these statements never deadlock. */
function newRows(keyed: readonly Keyed[], now: Date) {
  const createdAt = retentionStartOf(now);
  return keyed
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ key, operation }) => ({ ...operation, accountId: operation.accountId, id: key, createdAt }));
}

/** @throws OperationTaken unless all rows under these ids have other scopes */
async function requireOtherScopes(uow: UnitOfWork, operations: readonly FinishedOperation[]): Promise<void> {
  const rows = await uow.query<{ isOther: boolean | null }>(
    `select o.scope <> wanted.scope as "isOther"
       from unnest($2::text[], $3::text[]) with ordinality as wanted(id, scope, position)
       left join ${storedUnder('wanted.id')} o on true
      order by wanted.position`,
    [uow.clientId, operations.map(({ operationId }) => operationId), operations.map(({ scope }) => scope)],
  );
  const taken = operations.find((_, index) => rows[index]!.isOther !== true);
  if (taken) throw new OperationTaken(taken.operationId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Deletes operations that will take effect later, under whichever key they are stored. An operation with other content stays. The caller
 * has locked their accounts.
 */
export async function deleteOperations(uow: UnitOfWork, claims: readonly OperationClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const stored = lookUpByKey({
    select: 'ctid as row_ctid',
    from: 'operation',
    key: { id: 'w.id' },
    and: 'scope = w.scope and fingerprint = w.fingerprint',
  });
  await uow.query(
    `delete from operation o
      using (select held.row_ctid from unnest($2::text[], $3::text[], $4::bytea[]) as w(id, scope, fingerprint)
              cross join ${stored} held) held
      where o.client_id = $1 and o.ctid = held.row_ctid`,
    [
      uow.clientId,
      claims.flatMap(({ operationId, scope }) => [operationId, secondUseKey(scope, operationId)]),
      claims.flatMap(({ scope }) => [scope, scope]),
      claims.flatMap(({ fingerprint }) => [fingerprint, fingerprint]),
    ],
  );
}

/** The operations of a client to delete: between `from` and `before`, at most `batch`, the oldest first. */
export type OldOperations = { readonly from: Date; readonly before: Date; readonly batch: number };

/** Deletes old operations. `last` is the time of the youngest of them. */
export function deleteOperationsBefore(
  uow: UnitOfWork,
  { from, before, batch }: OldOperations,
): Promise<DeletedBatch<Date>> {
  return deleteFirst(uow, { table: 'operation', by: 'created_at', from, before, limit: batch });
}
