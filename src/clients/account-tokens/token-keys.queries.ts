import type { JWK } from 'jose';
import { NIL_UUID } from '../../kernel/ids.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { accountTokenKeyTable } from './account-token-key.entity.ts';

/** A stored key. */
export type TokenKey = {
  readonly id: string;
  readonly publicKey: JWK;
  readonly sealed: string;
  readonly signsFrom: Date;
};

const KEY = columnsOf(accountTokenKeyTable, ['id', 'publicKey', 'privateKeySealed', 'signsFrom']);

/** All keys, the newest first; a few. In a system unit of work, or in one of the nil UUID. */
export async function selectTokenKeys(uow: UnitOfWork): Promise<TokenKey[]> {
  const rows = await uow.query<RowOf<typeof KEY>>(
    `select ${KEY} from account_token_key where client_id = $1 order by signs_from desc, id desc`,
    [NIL_UUID],
  );
  return rows.map((row) => ({
    id: row.id,
    publicKey: row.public_key,
    sealed: row.private_key_sealed,
    signsFrom: row.signs_from,
  }));
}

/** Stores a key. */
export async function insertTokenKey(uow: UnitOfWork, key: TokenKey, now: Date): Promise<void> {
  await uow.query(
    `insert into account_token_key (client_id, id, public_key, private_key_sealed, signs_from, created_at)
     values ($1, $2, $3::jsonb, $4, $5, $6)`,
    [NIL_UUID, key.id, JSON.stringify(key.publicKey), key.sealed, key.signsFrom, now],
  );
}

/** Deletes keys. */
export async function deleteTokenKeys(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query('delete from account_token_key where client_id = $1 and id = any($2::uuid[])', [NIL_UUID, ids]);
}

/** Replaces the sealed text of a key, unless it has changed. */
export async function resealTokenKey(uow: UnitOfWork, { id, sealed }: TokenKey, again: string): Promise<void> {
  await uow.query(
    'update account_token_key set private_key_sealed = $4 where client_id = $1 and id = $2 and private_key_sealed = $3',
    [NIL_UUID, id, sealed, again],
  );
}

/** The origins that any client has configured for account tokens, in a system unit of work. */
export async function configuredOrigins(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ origins: string[] }>(
    'select account_token_origins as origins from client where account_token_origins is not null',
  );
  return rows.flatMap(({ origins }) => origins);
}

/** The origins that the client of the unit of work has configured. */
export async function originsOfClient(uow: UnitOfWork): Promise<readonly string[]> {
  const [row] = await uow.query<{ origins: string[] | null }>(
    'select account_token_origins as origins from client where id = $1',
    [uow.clientId],
  );
  return row?.origins ?? [];
}
