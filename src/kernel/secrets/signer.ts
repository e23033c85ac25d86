import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';

/** A signature and the public key that verifies it. */
export type Signature = {
  /** Base64 of the 32 bytes of an Ed25519 public key. */
  readonly publicKey: string;
  /** Base64. */
  readonly signature: string;
};

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8, and in SPKI. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Signs with the Ed25519 key derived from `secret`: hosts with the same secret have the same key, without a further setting. */
export function signerOf(secret: Buffer): (text: string) => Signature {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'laurel audit checkpoints', 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(SPKI.length).toString('base64');
  return (text) => ({ publicKey, signature: sign(null, Buffer.from(text), key).toString('base64') });
}

/** Whether the owner of the public key signed a text; false for a malformed key or signature. */
export function isSignedBy(text: string, { publicKey, signature }: Signature): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([SPKI, Buffer.from(publicKey, 'base64')]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
