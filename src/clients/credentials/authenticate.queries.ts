import type { Actor } from '../../audit/actor.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { isDue } from '../../persistence/moments.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { clientTable } from '../client.entity.ts';
import type { Role } from '../principal.ts';
import { LACKS_SECOND_FACTOR } from '../second-factor/required-factor.ts';
import { consoleSessionTable } from '../sessions/console-session.entity.ts';
import { consoleTokenTable } from '../sessions/console-token.entity.ts';
import { consoleUserTable } from '../users/console-user.entity.ts';
import { credentialTable } from './credential.entity.ts';

/** The fields of a credential or a session that authentication reads. */
export type Credential = {
  readonly clientId: string;
  readonly id: string;
  readonly role: Role;
  readonly actor: Actor;
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  /** Undefined for a session: only its sign-in is recorded. */
  readonly lastUsedAt: Date | undefined;
  /** Sessions only; false for a credential. */
  readonly passwordChangeRequired: boolean;
  /** The person signed in by password and has no second factor. */
  readonly lacksSecondFactor: boolean;
  /** The client requires a second factor; sessions only. */
  readonly secondFactorRequired: boolean;
};

const CREDENTIAL = columnsOf(credentialTable, ['id', 'role', 'name', 'hash', 'expiresAt', 'revokedAt', 'lastUsedAt']);

type CredentialRow = RowOf<typeof CREDENTIAL>;

/** The key of a credential: its client, and the SHA-256 of its token. */
export type CredentialKey = { readonly clientId: string; readonly hash: Buffer };

/** The credential of each key, also an expired or revoked one; undefined if unknown. One statement for all clients. */
export async function findCredentials(
  db: Database,
  keys: readonly CredentialKey[],
): Promise<Array<Credential | undefined>> {
  const rows = await db.systemUnitOfWork(async (uow) =>
    (await uow.isDistributed())
      ? credentialsOnNodes(uow, keys)
      : uow.query<FoundRow>(
          `select c.* from unnest($1::uuid[], $2::bytea[]) with ordinality as wanted(owner_id, wanted_hash, position)
         left join lateral (
           select ${CREDENTIAL} from credential where client_id = owner_id and hash = wanted_hash limit 1
         ) c on true
        order by wanted.position`,
          [keys.map(({ clientId }) => clientId), keys.map(({ hash }) => hash)],
        ),
  );
  return rows.map((row, index) => (row?.id == null ? undefined : credentialOf(keys[index]!, row as CredentialRow)));
}

type FoundRow = { [Column in keyof CredentialRow]: CredentialRow[Column] | null };

/** The credentials of the keys if clients are distributed over nodes: a statement for one client runs only on its node. */
function credentialsOnNodes(uow: UnitOfWork, keys: readonly CredentialKey[]): Promise<Array<FoundRow | undefined>> {
  return Promise.all(
    keys.map(async ({ clientId, hash }) => {
      const [row] = await uow.query<FoundRow>(
        `select ${CREDENTIAL} from credential where client_id = $1 and hash = $2`,
        [clientId, hash],
      );
      return row;
    }),
  );
}

function credentialOf({ clientId }: CredentialKey, row: CredentialRow): Credential {
  return {
    clientId,
    id: row.id,
    role: row.role,
    actor: { type: 'CREDENTIAL', id: row.id, name: row.name },
    hash: row.hash,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    passwordChangeRequired: false,
    lacksSecondFactor: false,
    secondFactorRequired: false,
  };
}

const SESSION = columnsOf(consoleSessionTable, ['id', 'userId'], 's');
const USER = columnsOf(consoleUserTable, ['email', 'role', 'passwordTemporary'], 'u');
const CLIENT = columnsOf(clientTable, ['requireSecondFactor'], 'c');
const TOKEN = columnsOf(consoleTokenTable, ['hash', 'expiresAt'], 't');

/** The user's row is included, because a disabled user's session ends. */
type SessionRow = RowOf<typeof SESSION> &
  RowOf<typeof USER> &
  RowOf<typeof TOKEN> &
  RowOf<typeof CLIENT> & { readonly ended_at: Date | null; readonly lacks_second_factor: boolean };

/** The session of an access token with this hash, also an ended session or one of a disabled user. */
export async function findSession(db: Database, clientId: string, hash: Buffer): Promise<Credential | undefined> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<SessionRow>(
      `select ${SESSION}, ${USER}, ${TOKEN}, ${CLIENT}, coalesce(s.ended_at, u.disabled_at) as ended_at,
              ${LACKS_SECOND_FACTOR} as lacks_second_factor
         from console_token t
         join console_session s on s.client_id = t.client_id and s.id = t.session_id
         join console_user u on u.client_id = s.client_id and u.id = s.user_id
         join client c on c.id = s.client_id
        where t.client_id = $1 and t.hash = $2 and t.kind = 'ACCESS'`,
      [clientId, hash],
    ),
  );
  if (row === undefined) return undefined;
  return {
    clientId,
    id: row.id,
    role: row.role,
    actor: { type: 'USER', id: row.user_id, name: row.email },
    hash: row.hash,
    expiresAt: row.expires_at,
    revokedAt: row.ended_at ?? undefined,
    lastUsedAt: undefined,
    passwordChangeRequired: row.password_temporary,
    lacksSecondFactor: row.lacks_second_factor,
    secondFactorRequired: row.require_second_factor,
  };
}

/**
 * Records uses of credentials, except those that another process recorded after `unlessAfter` or is recording now. It never waits: locked
 * rows are skipped.
 */
export async function touchCredentials(
  db: Database,
  credentials: ReadonlyArray<Pick<Credential, 'clientId' | 'id'>>,
  now: Date,
  unlessAfter: Date,
): Promise<void> {
  await db.systemUnitOfWork(async (uow) =>
    (await uow.isDistributed())
      ? touchOnNodes(uow, credentials, now, unlessAfter)
      : uow.query(
          `update credential c set last_used_at = $3
         from unnest($1::uuid[], $2::uuid[]) as used(client_id, id)
        cross join lateral (
          select from credential
           where client_id = used.client_id and id = used.id and ${isDue('last_used_at', 0, '$4::timestamptz')}
             for no key update skip locked
        ) due
        where c.client_id = used.client_id and c.id = used.id`,
          [credentials.map(({ clientId }) => clientId), credentials.map(({ id }) => id), now, unlessAfter],
        ),
  );
}

async function touchOnNodes(
  uow: UnitOfWork,
  credentials: ReadonlyArray<Pick<Credential, 'clientId' | 'id'>>,
  now: Date,
  unlessAfter: Date,
): Promise<object[]> {
  const touched = credentials.map(({ clientId, id }) =>
    uow.query(
      `update credential set last_used_at = $3
        where client_id = $1 and id = (
          select id from credential
           where client_id = $1 and id = $2 and ${isDue('last_used_at', 0, '$4::timestamptz')}
             for no key update skip locked)`,
      [clientId, id, now, unlessAfter],
    ),
  );
  return Promise.all(touched);
}

/** Whether a client with this id exists. */
export async function clientExists(db: Database, clientId: string): Promise<boolean> {
  return (await findActedFor(db, clientId)) !== undefined;
}

/** The requirements of a client for callers that act for it. */
export type ActedFor = { readonly secondFactorRequired: boolean };

/** The client with this id; undefined if unknown. */
export async function findActedFor(db: Database, clientId: string): Promise<ActedFor | undefined> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<RowOf<typeof CLIENT>>(`select ${CLIENT} from client c where c.id = $1`, [clientId]),
  );
  return row && { secondFactorRequired: row.require_second_factor };
}

/** The last use of any credential of any client, in a system unit of work; undefined if none was ever used. */
export async function lastUseOfCredentials(uow: UnitOfWork): Promise<Date | undefined> {
  const [row] = await uow.query<{ at: Date | null }>('select max(last_used_at) as at from credential');
  return row?.at ?? undefined;
}
