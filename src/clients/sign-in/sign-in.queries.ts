import type { Clock } from '../../kernel/time/clock.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { noteFailedSignIn } from './failed-sign-ins.ts';

/** A user who may be the person that signs in. */
export type Candidate = {
  readonly clientId: string;
  readonly clientName: string;
  readonly id: string;
  readonly passwordHash: string;
  readonly disabled: boolean;
  /** Whether the user has a second factor. */
  readonly hasSecondFactor: boolean;
  /** The known browser of the user; null if the browser is unknown. */
  readonly deviceId: string | null;
};

/** The most users of one e-mail whose passwords are checked: each check costs a hash. Users beyond must send their client. */
export const TRIED = 10;

/**
 * The users with an e-mail, in any case of its letters, of one client or of all clients, because the client may be unknown yet.
 * @param devices the digests of the tokens in the browser's cookie
 */
export function usersOfEmail(
  db: Database,
  { email, clientId, devices = [] }: { email: string; clientId?: string | undefined; devices?: readonly Buffer[] },
): Promise<Candidate[]> {
  return db.systemUnitOfWork((uow) =>
    uow.query<Candidate>(
      `select u.client_id as "clientId", c.name as "clientName", u.id, u.password_hash as "passwordHash",
              u.disabled_at is not null as disabled, u.second_factor_at is not null as "hasSecondFactor",
              (select d.id from console_device d
                where d.client_id = u.client_id and d.user_id = u.id and d.hash = any($3::bytea[]) limit 1) as "deviceId"
         from console_user u join client c on c.id = u.client_id
        where lower(u.email) = lower($1) and ($2::uuid is null or u.client_id = $2)
        order by u.created_at, u.id limit ${TRIED}`,
      [email, clientId ?? null, devices],
    ),
  );
}

/** Whether no user of another client has the e-mail of this user. */
export async function isOnlyUserOfEmail(uow: UnitOfWork, { clientId, email }: { clientId: string; email: string }) {
  const others = await uow.query(
    'select 1 from console_user where lower(email) = lower($2) and client_id <> $1 limit 1',
    [clientId, email],
  );
  return others.length === 0;
}

/** Counts a wrong password of a user, who sees the number later. For an unknown user it takes the same time and changes no row. */
export async function countFailedSignIn(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  user: { readonly clientId: string; readonly id: string },
  address: string,
): Promise<void> {
  await db.unitOfWork(user.clientId, async (uow) => {
    await uow.query('update console_user set failed_sign_ins = failed_sign_ins + 1 where client_id = $1 and id = $2', [
      user.clientId,
      user.id,
    ]);
    await noteFailedSignIn(uow, user.id, address, clock());
  });
}

/** A client with a user of the person. */
export type ClientChoice = Pick<Candidate, 'clientId' | 'clientName'>;

/** The clients with these ids, by name. */
export function clientChoices(db: Database, clientIds: readonly string[]): Promise<ClientChoice[]> {
  return db.systemUnitOfWork((uow) =>
    uow.query<ClientChoice>(
      `select id as "clientId", name as "clientName" from client where id = any($1::uuid[]) order by name, id`,
      [clientIds],
    ),
  );
}
