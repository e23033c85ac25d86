import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { newId, NIL_UUID } from '../../kernel/ids.ts';
import { resealed, type Resealed, type SecretBox } from '../../kernel/secrets/secret-box.ts';
import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import { DAY, MINUTE } from '../../kernel/time/timestamp.ts';
import type { SealedSecrets } from '../../persistence/checks/secret-keys.check.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { ALGORITHM, LIFETIME_MAX } from './token-claims.ts';
import {
  deleteTokenKeys,
  insertTokenKey,
  resealTokenKey,
  selectTokenKeys,
  type TokenKey,
} from './token-keys.queries.ts';

/** Milliseconds for which a key signs. */
const SIGNS_FOR = 30 * DAY;

/** Milliseconds before a new key signs: readers may keep the published keys for five minutes. */
const ANNOUNCED_FOR = 60 * MINUTE;

/** A new key that signs from `signsFrom` on. */
export async function newTokenKey(secrets: Pick<SecretBox, 'seal'>, signsFrom: Date): Promise<TokenKey> {
  const id = newId();
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const sealed = secrets.seal(JSON.stringify(await exportJWK(privateKey)), ownerOf(id));
  return { id, publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' }, sealed, signsFrom };
}

/**
 * The private part of a key.
 * @throws UnreadableSecret without its secret key
 */
export async function privateKeyOf({ id, sealed }: TokenKey, secrets: Pick<SecretBox, 'open'>): Promise<CryptoKey> {
  const jwk = JSON.parse(secrets.open(sealed, ownerOf(id))) as JWK;
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}

function ownerOf(id: string): string {
  return `${NIL_UUID}/account_token_key/${id}`;
}

/**
 * Makes the next key before the present one has signed for thirty days, and deletes those whose last token has expired. Two processes may
 * do this at the same time: then there are two keys, and the later one signs.
 * @returns the number of keys that were made or deleted
 */
export async function rotateTokenKeys(uow: UnitOfWork, now: Date, secrets: Pick<SecretBox, 'seal'>): Promise<number> {
  const keys = await selectTokenKeys(uow);
  const [newest] = keys;
  // The first token makes the first key, so that a service without tokens has none.
  if (newest === undefined) return 0;
  const isNextDue = newest.signsFrom.getTime() + SIGNS_FOR <= now.getTime() + ANNOUNCED_FOR;
  if (isNextDue) await insertTokenKey(uow, await newTokenKey(secrets, new Date(now.getTime() + ANNOUNCED_FOR)), now);
  const expired = keys.slice(1).filter((_, index) => hasOutlived(keys[index]!.signsFrom, now));
  if (expired.length > 0)
    await deleteTokenKeys(
      uow,
      expired.map(({ id }) => id),
    );
  return expired.length + (isNextDue ? 1 : 0);
}

/** Whether every token of a key has expired, if the next key signs from `replacedAt` on. */
function hasOutlived(replacedAt: Date, now: Date): boolean {
  return replacedAt.getTime() + LIFETIME_MAX + 2 * CLOCK_TOLERANCE_MS < now.getTime();
}

/** Encrypts the private keys with the current key of the box. May be repeated, and run while the service runs. */
export async function resealTokenKeys(db: Database, secrets: SecretBox): Promise<Resealed> {
  const keys = await db.unitOfWork(NIL_UUID, selectTokenKeys);
  const count = { resealed: 0, unreadable: 0 };
  for (const key of keys.filter(({ sealed }) => !secrets.isCurrent(sealed))) {
    const again = resealed(secrets, key.sealed, ownerOf(key.id));
    count[again === undefined ? 'unreadable' : 'resealed'] += 1;
    if (again !== undefined) await db.unitOfWork(NIL_UUID, (uow) => resealTokenKey(uow, key, again));
  }
  return count;
}

/** The private keys. Without the secret key, a new one is made, and the tokens of the old one are still verified. */
export const sealedTokenKeys: SealedSecrets = {
  sql: `select split_part(private_key_sealed, '.', 2) as key, count(*)::int as count
          from account_token_key group by 1 order by 1`,
  holders: (count) => (count === 1 ? '1 key of account tokens was' : `${count} keys of account tokens were`),
  consequence: 'they would sign no more tokens; the service makes a new one',
  afterLoss: 'do nothing: the next token makes a new key',
  severity: 'warning',
};
