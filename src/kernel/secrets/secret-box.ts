import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type Signature, signerOf } from './signer.ts';

/** Encrypts the few secrets that must be readable again, such as the credentials of webhooks. */
export type SecretBox = {
  /**
   * Encrypts with the current key.
   * @param owner the location of the secret, for example `<client>/<table>/<type>`; with another owner the text cannot be decrypted
   */
  seal(secret: string, owner: string): string;
  /** @throws UnreadableSecret if the key is no longer configured, the owner differs, or the text was altered */
  open(sealed: string, owner: string): string;
  /** Whether the text is encrypted with the current key; if not, encrypt it again before the old key is removed. */
  isCurrent(sealed: string): boolean;
  /** The ids of the keys for decryption; the second part of an encrypted text, between dots, is the id of its key. */
  readonly keyIds: readonly string[];
  /** Signs with an Ed25519 key that is derived from the current key; holders of the public key verify it. */
  sign(text: string): Signature;
};

/** An encrypted text that cannot be decrypted. The message has the id of the key, never the secret. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

/** The secret encrypted with the current key; undefined if no configured key decrypts it. */
export function resealed(secrets: SecretBox, sealed: string, owner: string): string | undefined {
  try {
    return secrets.seal(secrets.open(sealed, owner), owner);
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  }
}

/** The result of encrypting stored secrets with the current key. */
export type Resealed = {
  /** The number of secrets that were encrypted again. */
  readonly resealed: number;
  /** The number of secrets that no configured key decrypts. */
  readonly unreadable: number;
};

type Key = { readonly id: string; readonly bytes: Buffer };

/** Bytes. AES-256-GCM has a key of 32, a nonce of 12 and a full tag of 16. */
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

const SEALED = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/**
 * A box over `keys`: the first encrypts, all decrypt. To rotate, put the new key first and keep the old one until no text is encrypted with
 * it. Encrypted texts have the form `v1.<key id>.<base64url of nonce, ciphertext, tag>`.
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const known = keys.map(toKey);
  const current = known[0];
  if (current === undefined) throw new Error('A secret box needs at least one key.');
  return {
    seal: (secret, owner) => `v1.${current.id}.${encrypt(current, secret, owner).toString('base64url')}`,
    open(sealed, owner) {
      const [, keyId, payload] = SEALED.exec(sealed) ?? [];
      const key = known.find(({ id }) => id === keyId);
      if (payload === undefined) throw new UnreadableSecret('The text was not sealed by this service.');
      if (key === undefined)
        throw new UnreadableSecret(`The secret was sealed under key ${keyId}, which is not configured.`);
      return decrypt(key, Buffer.from(payload, 'base64url'), owner);
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${current.id}.`),
    keyIds: known.map(({ id }) => id),
    sign: signerOf(current.bytes),
  };
}

/** The ids of keys in encrypted texts; they reveal nothing about the keys. */
export function secretKeyIds(keys: readonly Buffer[]): string[] {
  return keys.map((key) => toKey(key).id);
}

/** The id is derived from the key, so that keys need no names and cannot be configured under a wrong one. */
function toKey(bytes: Buffer): Key {
  if (bytes.length !== KEY_LENGTH)
    throw new Error(`A secret key has ${KEY_LENGTH} bytes, this one has ${bytes.length}.`);
  return { id: createHash('sha256').update('laurel key id').update(bytes).digest('hex').slice(0, 8), bytes };
}

function encrypt(key: Key, secret: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]);
}

function decrypt(key: Key, payload: Buffer, owner: string): string {
  const nonce = payload.subarray(0, NONCE_LENGTH);
  const ciphertext = payload.subarray(NONCE_LENGTH, -TAG_LENGTH);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_LENGTH });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(payload.subarray(-TAG_LENGTH));
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new UnreadableSecret(`The secret does not open under key ${key.id}: altered, or of another owner.`, {
      cause,
    });
  }
}
