import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { ChainedEntry, Checkpoint, Json } from './chain.ts';

/** An entry with all columns of its hash. */
export type EntryRow = { readonly id: string; readonly createdAt: Date } & { readonly [name: string]: unknown };

/** The columns of an entry `e`. Later columns must not change existing hashes: add them as lines of a new kind. */
export const ENTRY_COLUMNS = `e.id, e.created_at as "createdAt", e.actor_type as "actorType", e.actor_id as "actorId",
  e.actor_name as "actorName", e.operation, e.resource_type as "resourceType", e.resource_id as "resourceId",
  e.note, e.before, e.after`;

/** An entry as JSON. */
export function entryJson(row: EntryRow): Json {
  return { ...row, createdAt: row.createdAt.toISOString() };
}

/** Entries per page of an export. */
const PAGE = 500;

type CheckpointRow = {
  readonly position: string;
  readonly hash: Buffer;
  readonly createdAt: Date;
  readonly publicKey: string;
  readonly signature: string;
};

/**
 * The chain of a client from the last checkpoint at or before a position: that checkpoint, then entries and checkpoints in order, page by
 * page, up to the last checkpoint. If retention has deleted entries, the chain begins after them.
 * @param limit the wanted number of entries after `after`; the chain ends with the first checkpoint behind them
 * @throws DomainError AUDIT_POSITION_NOT_FOUND if the chain ends before `after`
 */
export async function* exportChain(
  db: Database,
  clientId: string,
  { after, limit = null }: { readonly after: number; readonly limit?: number | null },
): AsyncGenerator<ChainedEntry | Checkpoint> {
  const [ends] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ last: string; start: string; end: string }>(
      `select coalesce(max(position), 0)::text as last,
         coalesce(max(position) filter (where position <= $2), 0)::text as start,
         coalesce(min(position) filter (where position >= $2::bigint + $3::bigint), max(position), 0)::text as end
         from audit_checkpoint where client_id = $1`,
      [clientId, after, limit],
    ),
  );
  const end = Number(ends?.end);
  if (after > Number(ends?.last)) throw pastTheEnd(after, Number(ends?.last));
  let position = Number(ends?.start);
  for (let isFirst = true; isFirst || position < end; isFirst = false) {
    const page = await db.unitOfWork(clientId, (uow) => pageAfter(uow, { position, end, isFirst }));
    yield* page.lines;
    position = page.last;
  }
}

/** A follower got the position from an export, so the log has lost its end. */
function pastTheEnd(after: number, last: number): DomainError {
  return new DomainError(
    'AUDIT_POSITION_NOT_FOUND',
    sentence`The chain of the audit log ends at position ${last}, before ${after}. Send an \`after\` up to that. If ${after} is from an export, the database was put back to an earlier state, and what was exported since is no longer in it.`,
  );
}

async function pageAfter(
  uow: UnitOfWork,
  { position, end, isFirst }: { position: number; end: number; isFirst: boolean },
) {
  const { clientId } = uow;
  const rows = await uow.query<EntryRow & { at: string; sealHash: Buffer; id: string | null }>(
    `select s.position::text as at, s.hash as "sealHash", ${ENTRY_COLUMNS}
       from (select * from audit_seal where client_id = $1 and position > $2 and position <= $3
              order by position limit ${PAGE}) s
       left join audit_entry e on e.client_id = s.client_id and e.id = s.entry_id order by s.position`,
    [clientId, position, end],
  );
  const entries = rows.flatMap(({ at, sealHash, ...entry }): ChainedEntry[] => {
    // A deleted entry leaves a gap, and the export must show the gap.
    if (entry.id === null) return [];
    return [{ kind: 'ENTRY', clientId, position: Number(at), hash: sealHash.toString('hex'), entry: entryJson(entry) }];
  });
  const first = rows[0];
  const last = rows.length < PAGE ? end : Number(rows.at(-1)!.at);
  // Without entries the page shows the end; after entries that retention deleted, it shows the checkpoint of their end.
  const anchor = first === undefined ? end : Number(first.at) - 1;
  const checkpoints = await checkpointsBetween(uow, isFirst ? anchor : position + 1, last);
  // A checkpoint follows the entry of the same position.
  const rank = ({ kind }: ChainedEntry | Checkpoint) => (kind === 'ENTRY' ? 0 : 1);
  const lines = [...entries, ...checkpoints].toSorted((a, b) => a.position - b.position || rank(a) - rank(b));
  return { lines, last };
}

async function checkpointsBetween(uow: UnitOfWork, from: number, to: number): Promise<Checkpoint[]> {
  const { clientId } = uow;
  const rows = await uow.query<CheckpointRow>(
    `select position::text, hash, created_at as "createdAt", public_key as "publicKey", signature from audit_checkpoint
      where client_id = $1 and position between $2 and $3 order by position`,
    [clientId, from, to],
  );
  return rows.map(({ position, hash, createdAt, publicKey, signature }) => ({
    kind: 'CHECKPOINT',
    clientId,
    position: Number(position),
    hash: hash.toString('hex'),
    createdAt: createdAt.toISOString(),
    publicKey,
    signature,
  }));
}

/** The end of a client's chain: its last entry or, after retention has deleted the entries, its last checkpoint. */
export async function endOfChain(
  uow: UnitOfWork,
  clientId: string,
): Promise<{ position: number; hash: Buffer } | undefined> {
  const [row] = await uow.query<{ at: string; hash: Buffer }>(
    `select at::text, hash from (
       (select position as at, hash from audit_seal where client_id = $1 order by position desc limit 1) union all
       (select position, hash from audit_checkpoint where client_id = $1 order by position desc limit 1)) ends
      order by ends.at desc limit 1`,
    [clientId],
  );
  return row && { position: Number(row.at), hash: row.hash };
}
