import { hashToken, newToken, type TokenKind } from '../../src/clients/credentials/token.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/persistence/database.ts';

/** A client with its credentials. */
export type Tenant = {
  readonly clientId: string;
  /** A key with the role INTEGRATOR. */
  readonly apiKey: string;
  /** A token with the role CLIENT_ADMIN. */
  readonly adminToken: string;
};

/** Creates a client, directly in the tables, because the operation needs a first credential. */
export async function createTenant(db: Database): Promise<Tenant> {
  const clientId = newId();
  await db.systemUnitOfWork((uow) =>
    uow.query('insert into client (id, name, time_zone) values ($1, $2, $3)', [clientId, 'Benchmark', 'UTC']),
  );
  return {
    clientId,
    apiKey: await createCredential(db, clientId, 'API_KEY', 'INTEGRATOR'),
    adminToken: await createCredential(db, clientId, 'ACCESS_TOKEN', 'CLIENT_ADMIN'),
  };
}

/** Creates a credential of a client, and returns its secret. */
export async function createCredential(db: Database, clientId: string, kind: TokenKind, role: string): Promise<string> {
  const token = newToken(kind, clientId);
  await db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into credential (client_id, id, kind, role, name, hash, last_four, created_at)
       values ($1, $2, $3, $4, 'benchmark', $5, $6, now())`,
      [clientId, newId(), kind, role, hashToken(token), token.slice(-4)],
    ),
  );
  return token;
}
