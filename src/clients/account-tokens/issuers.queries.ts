import { createBatcher } from '../../persistence/batching/batcher.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';

/** Names a credential, or the session of a person. */
export type IssuerKey = { readonly clientId: string; readonly id: string };

/** The credential or session that issued a token. */
export type Issuer = {
  readonly name: string;
  readonly revokedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
};

type Row = { readonly name: string; readonly revoked_at: Date | null; readonly expires_at: Date | null };
type FoundRow = { [Column in keyof Row]: Row[Column] | null };

/** SQL of one issuer: `$client` and `$id` are its keys. */
function issuerSql(clientId: string, id: string): string {
  return `select name, revoked_at, expires_at from credential where client_id = ${clientId} and id = ${id}
    union all
    select u.email, coalesce(s.ended_at, u.disabled_at), null
      from console_session s join console_user u on u.client_id = s.client_id and u.id = s.user_id
     where s.client_id = ${clientId} and s.id = ${id}`;
}

/** Finds issuers, in batches of all clients, as credentials are found; also a revoked one; undefined if there is none. */
export function issuerFinder(db: Database): (key: IssuerKey) => Promise<Issuer | undefined> {
  const finding = createBatcher<IssuerKey, Issuer | undefined>({
    name: 'issuers of tokens',
    concurrency: 4,
    batchMax: 500,
    stuckMs: 60_000,
    run: (_, keys) => db.systemUnitOfWork((uow) => findIssuers(uow, keys)),
  });
  return (key) => finding.submit('', key);
}

async function findIssuers(uow: UnitOfWork, keys: readonly IssuerKey[]): Promise<Array<Issuer | undefined>> {
  const rows = (await uow.isDistributed())
    ? await Promise.all(keys.map((key) => issuerOnNode(uow, key)))
    : await uow.query<FoundRow>(
        `select c.* from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted(owner_id, wanted_id, position)
           left join lateral (${issuerSql('owner_id', 'wanted_id')} limit 1) c on true
          order by wanted.position`,
        [keys.map(({ clientId }) => clientId), keys.map(({ id }) => id)],
      );
  return rows.map((row) =>
    row?.name == null
      ? undefined
      : { name: row.name, revokedAt: row.revoked_at ?? undefined, expiresAt: row.expires_at ?? undefined },
  );
}

/** If clients are distributed over nodes, a statement for one client runs only on its node. */
async function issuerOnNode(uow: UnitOfWork, { clientId, id }: IssuerKey): Promise<FoundRow | undefined> {
  const [row] = await uow.query<FoundRow>(issuerSql('$1::uuid', '$2::uuid'), [clientId, id]);
  return row;
}

/** One issuer, for a call that issues a token. */
export async function issuerOf(db: Database, key: IssuerKey): Promise<Issuer | undefined> {
  const [issuer] = await db.systemUnitOfWork((uow) => findIssuers(uow, [key]));
  return issuer;
}
