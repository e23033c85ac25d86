import type { Database } from '../../persistence/database.ts';

/** A user who may be the one that signs in. */
export type Candidate = {
  readonly clientId: string;
  readonly clientName: string;
  readonly id: string;
  readonly passwordHash: string;
  readonly disabled: boolean;
};

/** Users of one e-mail whose passwords are tried: each costs a hash. Those of further clients name their client. */
const TRIED = 10;

/** The users with an e-mail, in any case of its letters, of one client or of all: nobody has said yet whose he is. */
export function usersOfEmail(db: Database, email: string, clientId: string | undefined): Promise<Candidate[]> {
  return db.systemUnitOfWork((uow) =>
    uow.query<Candidate>(
      `select u.client_id as "clientId", c.name as "clientName", u.id, u.password_hash as "passwordHash",
              u.disabled_at is not null as disabled
         from console_user u join client c on c.id = u.client_id
        where lower(u.email) = lower($1) and ($2::uuid is null or u.client_id = $2)
        order by u.created_at, u.id limit ${TRIED}`,
      [email, clientId ?? null],
    ),
  );
}

/** A client of which somebody has a user. */
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
