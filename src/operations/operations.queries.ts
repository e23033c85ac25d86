import type { UnitOfWork } from '../persistence/database.ts';
import { type Claim, isSameRequest, secondKey, secondKeySql } from './claim.ts';
import { OperationTaken } from './operation-taken.ts';

/** What became of a claim. `done` carries the answer of the first call, as it was stored. */
export type ClaimOutcome =
  | { readonly state: 'free' }
  | { readonly state: 'done'; readonly response: Buffer }
  | { readonly state: 'inProgress' }
  | { readonly state: 'reused' };

type ClaimRow = { free: boolean; scope: string | null; fingerprint: Buffer | null; response: Buffer | null };

/**
 * Claims operation ids for this transaction, in one statement. A claim is an advisory lock over (client, scope, operation
 * id) that ends with the transaction: nothing is left behind by a crash, and another process learns at once that the id is
 * in use, instead of waiting for a row. Why not `INSERT ... ON CONFLICT`: docs/decisions/0001.
 *
 * The lock may be granted an instant after its holder committed, while this statement still reads the state before it.
 * {@link storeOperations} then meets the holder's row, and the caller starts over.
 */
export function claimOperations(uow: UnitOfWork, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  const lock = `pg_try_advisory_xact_lock(hashtextextended($1 || claim.scope || '/' || claim.id, 0))`;
  return outcomesOf(uow, claims, lock);
}

/** What became of operation ids by now. Claims nothing: `free` and not `inProgress` where another transaction has an id. */
export function lookUpOperations(uow: UnitOfWork, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return outcomesOf(uow, claims, 'true');
}

/**
 * The first use of an id is stored under the id, others under keys of their own. A row of v0.1.0, which has no scope, holds
 * its id for all.
 *
 * The limits keep the planner at one look-up in the index per key. A plain join prepared while the table was small reads
 * all of it for ever after: 244 us per event at 70,000 operations, against 4 us.
 */
async function outcomesOf(uow: UnitOfWork, claims: readonly Claim[], isFree: string): Promise<ClaimOutcome[]> {
  if (claims.length === 0) return [];
  const rows = await uow.query<ClaimRow>(
    `select ${isFree} as free, o.scope, o.fingerprint, o.response
       from unnest($2::text[], $3::text[]) with ordinality as claim(id, scope, position)
       left join lateral (
         (select scope, fingerprint, response from operation
           where client_id = $1::uuid and id = claim.id and (scope is null or scope = claim.scope) limit 1)
         union all
         (select scope, fingerprint, response from operation
           where client_id = $1::uuid and id = ${secondKeySql('claim.scope', 'claim.id')} limit 1)
         limit 1
       ) o on true
      order by claim.position`,
    [uow.clientId, claims.map(({ operationId }) => operationId), claims.map(({ scope }) => scope)],
  );
  return rows.map((row, index) => outcomeOf(row, claims[index]!));
}

function outcomeOf({ free, scope, fingerprint, response }: ClaimRow, claim: Claim): ClaimOutcome {
  if (fingerprint === null) return { state: free ? 'free' : 'inProgress' };
  if (!isSameRequest(claim, { scope, fingerprint })) return { state: 'reused' };
  return { state: 'done', response: response ?? Buffer.alloc(0) };
}

/** An operation that has taken effect in this transaction; `response` is the binary form of its answer. */
export type FinishedOperation = Claim & { readonly response: Uint8Array };

/** A finished operation and the key of its row. */
type Keyed = { readonly operation: FinishedOperation; readonly key: string };

/**
 * Stores finished operations beside their effects, in one statement unless an id has been used before in another scope.
 * Call it last: it may wait for another transaction that stores the same id.
 * @throws OperationTaken when another transaction has stored one of them since it was claimed
 */
export async function storeOperations(
  uow: UnitOfWork,
  finished: readonly FinishedOperation[],
  now: Date,
): Promise<void> {
  if (finished.length === 0) return;
  const passedOver = await insertOperations(
    uow,
    finished.map((operation) => ({ operation, key: operation.operationId })),
    now,
  );
  if (passedOver.length === 0) return;
  await requireOtherScopes(uow, passedOver);
  const second = passedOver.map((operation) => ({
    operation,
    key: secondKey(operation.scope, operation.operationId),
  }));
  const [taken] = await insertOperations(uow, second, now);
  if (taken) throw new OperationTaken(taken.operationId);
}

/** Gives the operations whose key is there already. Sorted, so that two of these wait for each other in one direction only. */
async function insertOperations(uow: UnitOfWork, keyed: readonly Keyed[], now: Date): Promise<FinishedOperation[]> {
  const rows = keyed.toSorted((a, b) => compare(a.key, b.key));
  const stored = await uow.query<{ id: string; scope: string }>(
    `insert into operation (client_id, id, scope, fingerprint, response, created_at)
     select $1::uuid, o.id, o.scope, o.fingerprint, o.response, $6::timestamptz
       from unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[]) as o(id, scope, fingerprint, response)
     on conflict (client_id, id) do nothing
     returning id, scope`,
    [
      uow.clientId,
      rows.map(({ key }) => key),
      rows.map(({ operation }) => operation.scope),
      rows.map(({ operation }) => operation.fingerprint),
      rows.map(({ operation }) => Buffer.from(operation.response)),
      now,
    ],
  );
  if (stored.length === rows.length) return [];
  const done = new Set(stored.map(({ id, scope }) => secondKey(scope, id)));
  return rows
    .filter(({ key, operation }) => !done.has(secondKey(operation.scope, key)))
    .map(({ operation }) => operation);
}

/** @throws OperationTaken unless the rows under these ids are all of other scopes */
async function requireOtherScopes(uow: UnitOfWork, operations: readonly FinishedOperation[]): Promise<void> {
  const rows = await uow.query<{ isOther: boolean | null }>(
    `select o.scope <> wanted.scope as "isOther"
       from unnest($2::text[], $3::text[]) with ordinality as wanted(id, scope, position)
       left join lateral (
         select scope from operation where client_id = $1::uuid and id = wanted.id limit 1
       ) o on true
      order by wanted.position`,
    [uow.clientId, operations.map(({ operationId }) => operationId), operations.map(({ scope }) => scope)],
  );
  const taken = operations.find((_, index) => rows[index]!.isOther !== true);
  if (taken) throw new OperationTaken(taken.operationId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Forgets at most `batch` operations that are older than `before`. Gives how many; fewer than `batch` means done. */
export async function forgetOperations(uow: UnitOfWork, before: Date, batch: number): Promise<number> {
  const rows = await uow.query<{ id: string }>(
    `delete from operation
      where client_id = $1::uuid
        and id in (select id from operation where client_id = $1::uuid and created_at < $2 order by created_at limit $3)
      returning id`,
    [uow.clientId, before, batch],
  );
  return rows.length;
}
