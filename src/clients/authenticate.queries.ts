import type { Database } from '../persistence/database.ts';
import type { Role } from './principal.ts';

/** What authentication reads of a credential. */
export type Credential = {
  readonly clientId: string;
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
};

type CredentialRow = {
  id: string;
  role: Role;
  name: string;
  hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
};

/** The credential with this hash among those of `clientId`, also an expired or revoked one. */
export async function findCredential(db: Database, clientId: string, hash: Buffer): Promise<Credential | undefined> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<CredentialRow>(
      `select id, role, name, hash, expires_at, revoked_at, last_used_at from credential where client_id = $1 and hash = $2`,
      [clientId, hash],
    ),
  );
  if (row === undefined) return undefined;
  return {
    clientId,
    id: row.id,
    role: row.role,
    name: row.name,
    hash: row.hash,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}

/** Records a use, unless another process recorded one after `unlessAfter`. */
export async function touchCredential(
  db: Database,
  credential: Pick<Credential, 'clientId' | 'id'>,
  now: Date,
  unlessAfter: Date,
): Promise<void> {
  await db.unitOfWork(credential.clientId, (uow) =>
    uow.query(
      `update credential set last_used_at = $3
        where client_id = $1 and id = $2 and (last_used_at is null or last_used_at <= $4)`,
      [credential.clientId, credential.id, now, unlessAfter],
    ),
  );
}

/** Whether there is a client with this id. */
export async function clientExists(db: Database, clientId: string): Promise<boolean> {
  const rows = await db.unitOfWork(clientId, (uow) => uow.query(`select 1 from client where id = $1`, [clientId]));
  return rows.length > 0;
}
