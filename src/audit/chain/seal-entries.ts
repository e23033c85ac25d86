import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import { firstIdAt, momentOfId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import { BEGINNING, hashOf, signedText } from './chain.ts';
import { endOfChain, ENTRY_COLUMNS, entryJson, type EntryRow } from './chain.queries.ts';

/** Entries that one transaction adds to the chain, with a checkpoint at the end. */
const BATCH = 500;

/** Milliseconds that an entry waits, so that entries committed a little later still join in the order of their ids. */
const DELAY = 2 * 60_000;

/** Milliseconds: entries up to this much older than the last one in the chain are still found, because they may have committed late. */
const LATE = 24 * 3_600_000;

/**
 * Adds the client's new entries to its chain, in system units of work. One process does this at a time; the others return 0.
 * @returns the number of added entries
 */
export async function sealEntries(
  db: Database,
  clientId: string,
  { now, secrets }: { readonly now: Date; readonly secrets: Pick<SecretBox, 'sign'> },
): Promise<number> {
  let total = 0;
  for (let sealed = BATCH; sealed === BATCH; total += sealed) {
    sealed = await db.systemUnitOfWork((uow) => sealBatch(uow, clientId, now, secrets));
  }
  return total;
}

async function sealBatch(
  uow: UnitOfWork,
  clientId: string,
  now: Date,
  secrets: Pick<SecretBox, 'sign'>,
): Promise<number> {
  const [lock] = await uow.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('laurel audit chain ' || $1, 0)) as free`,
    [clientId],
  );
  if (!lock?.free) return 0;
  const end = await endOfChain(uow, clientId);
  const entries = await unsealed(uow, clientId, now);
  if (entries.length === 0) return 0;
  let hash = end?.hash.toString('hex') ?? BEGINNING;
  const first = (end?.position ?? 0) + 1;
  const hashes = entries.map((row, index) => {
    hash = hashOf(hash, { clientId, position: first + index, entry: entryJson(row) });
    return Buffer.from(hash, 'hex');
  });
  await uow.query(
    `insert into audit_seal (client_id, position, entry_id, hash)
     select client_row.client_id, $2::bigint + ordinal - 1, sealed.id, hash
       from ${CLIENT_ROW} cross join unnest($3::uuid[], $4::bytea[]) with ordinality as sealed (id, hash, ordinal)`,
    [clientId, first, entries.map(({ id }) => id), hashes],
  );
  const position = first + entries.length - 1;
  const { publicKey, signature } = secrets.sign(signedText({ clientId, position, hash, createdAt: now.toISOString() }));
  await uow.query(
    `insert into audit_checkpoint (client_id, position, hash, created_at, public_key, signature) values ($1, $2, $3, $4, $5, $6)`,
    [clientId, position, Buffer.from(hash, 'hex'), now, publicKey, signature],
  );
  return entries.length;
}

async function unsealed(uow: UnitOfWork, clientId: string, now: Date): Promise<EntryRow[]> {
  const [last] = await uow.query<{ id: string }>(
    'select entry_id as id from audit_seal where client_id = $1 order by entry_id desc limit 1',
    [clientId],
  );
  // An entry with a time in the future must not delay the entries after it.
  const newest = Math.min(now.getTime(), last === undefined ? 0 : momentOfId(last.id).getTime());
  const since = new Date(Math.max(0, newest - LATE));
  return uow.query<EntryRow>(
    `select ${ENTRY_COLUMNS} from audit_entry e
      where e.client_id = $1 and e.id >= $2 and (e.id < $3 or e.id > $4)
        and not exists (select from audit_seal s where s.client_id = $1 and s.entry_id = e.id)
      order by e.id limit ${BATCH}`,
    [
      clientId,
      firstIdAt(since),
      firstIdAt(new Date(now.getTime() - DELAY)),
      firstIdAt(new Date(now.getTime() + CLOCK_TOLERANCE_MS)),
    ],
  );
}
