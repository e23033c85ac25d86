import type { UnitOfWork } from '../persistence/database.ts';

/** One operation id that a caller wants to use, and the digest of what it sent with it. */
export type Claim = {
  readonly operationId: string;
  readonly fingerprint: Buffer;
};

/** What became of a claim. `done` carries the answer of the first call, as it was stored. */
export type ClaimOutcome =
  | { readonly state: 'free' }
  | { readonly state: 'done'; readonly response: Buffer }
  | { readonly state: 'inProgress' }
  | { readonly state: 'reused' };

type ClaimRow = { free: boolean; fingerprint: Buffer | null; response: Buffer | null };

/**
 * Claims operation ids for this transaction, in one statement. A claim is an advisory lock over (client, operation id)
 * that ends with the transaction: nothing is left behind by a crash, and another process learns at once that the id is
 * in use, instead of waiting for a row. Why not `INSERT ... ON CONFLICT`: docs/decisions/0001.
 *
 * The lock may be granted an instant after its holder committed, while this statement still reads the state before it.
 * The insert of {@link storeOperations} then meets the unique key, and the caller starts over.
 */
export function claimOperations(uow: UnitOfWork, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return outcomesOf(uow, claims, 'pg_try_advisory_xact_lock(hashtextextended($1 || claim.id, 0))');
}

/** What became of operation ids by now. Claims nothing: `free` and not `inProgress` where another transaction has an id. */
export function lookUpOperations(uow: UnitOfWork, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return outcomesOf(uow, claims, 'true');
}

/**
 * The limit keeps the planner at one look-up in the index per id. A plain join prepared while the table was small reads
 * all of it for ever after: 244 us per event at 70,000 operations, against 4 us.
 */
async function outcomesOf(uow: UnitOfWork, claims: readonly Claim[], isFree: string): Promise<ClaimOutcome[]> {
  if (claims.length === 0) return [];
  const rows = await uow.query<ClaimRow>(
    `select ${isFree} as free, o.fingerprint, o.response
       from unnest($2::text[]) with ordinality as claim(id, position)
       left join lateral (
         select fingerprint, response from operation where client_id = $1::uuid and id = claim.id limit 1
       ) o on true
      order by claim.position`,
    [uow.clientId, claims.map((claim) => claim.operationId)],
  );
  return rows.map((row, index) => outcomeOf(row, claims[index]!));
}

function outcomeOf(row: ClaimRow, claim: Claim): ClaimOutcome {
  if (row.fingerprint) {
    if (!row.fingerprint.equals(claim.fingerprint)) return { state: 'reused' };
    return { state: 'done', response: row.response ?? Buffer.alloc(0) };
  }
  return { state: row.free ? 'free' : 'inProgress' };
}

/** An operation that has taken effect in this transaction; `response` is the binary form of its answer. */
export type FinishedOperation = Claim & { readonly response: Uint8Array };

/** Stores finished operations beside their effects, in one statement. */
export async function storeOperations(
  uow: UnitOfWork,
  finished: readonly FinishedOperation[],
  now: Date,
): Promise<void> {
  if (finished.length === 0) return;
  await uow.query(
    `insert into operation (client_id, id, fingerprint, response, created_at)
     select $1::uuid, o.id, o.fingerprint, o.response, $5::timestamptz
       from unnest($2::text[], $3::bytea[], $4::bytea[]) as o(id, fingerprint, response)`,
    [
      uow.clientId,
      finished.map((operation) => operation.operationId),
      finished.map((operation) => operation.fingerprint),
      finished.map((operation) => Buffer.from(operation.response)),
      now,
    ],
  );
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
