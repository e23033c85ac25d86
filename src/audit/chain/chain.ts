import { createHash } from 'node:crypto';
import { isSignedBy, type Signature } from '../../kernel/secrets/signer.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An entry with its position, one line of an export. */
export type ChainedEntry = {
  readonly kind: 'ENTRY';
  readonly clientId: string;
  /** From 1, without gaps. */
  readonly position: number;
  /** Hexadecimal. */
  readonly hash: string;
  readonly entry: Json;
};

/** The signed end of the chain at one moment. */
export type Checkpoint = Signature & {
  readonly kind: 'CHECKPOINT';
  readonly clientId: string;
  readonly position: number;
  readonly hash: string;
  /** ISO 8601. */
  readonly createdAt: string;
};

/** The hash before the first entry. */
export const BEGINNING = '0'.repeat(64);

/** The hash of an entry: SHA-256 of the previous hash, a line feed, and the entry as canonical JSON. */
export function hashOf(before: string, { clientId, position, entry }: Omit<ChainedEntry, 'kind' | 'hash'>): string {
  return createHash('sha256')
    .update(`${before}\n${canonical({ clientId, position, entry })}`)
    .digest('hex');
}

/** The signed text of a checkpoint. */
export function signedText({
  clientId,
  position,
  hash,
  createdAt,
}: Omit<Checkpoint, 'kind' | keyof Signature>): string {
  return canonical({ clientId, position, hash, createdAt });
}

/** JSON with sorted keys and without spaces: one text for one value. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/** The result of verifying an export. */
export type Proof = {
  readonly clientId: string;
  /** The positions of the first and the last entry; without entries `from` is one more than `to`. */
  readonly from: number;
  readonly to: number;
  /** The public keys of the verified signatures. */
  readonly publicKeys: readonly string[];
};

/** A failed verification; the message names the first fault. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

/**
 * Verifies the lines of one export, or of several consecutive ones.
 * @param trusted the trusted public keys; if empty, every key in the file is trusted
 * @throws BrokenChain for a missing, changed or moved entry, for a beginning or an end without a signing checkpoint, and for a signature by
 * an untrusted key
 */
export async function verifyChain(
  lines: AsyncIterable<string> | Iterable<string>,
  trusted?: readonly string[],
): Promise<Proof> {
  let at: { readonly position: number; readonly hash: string } | undefined;
  let clientId: string | undefined;
  let from: number | undefined;
  let signedTo: number | undefined;
  const publicKeys = new Set<string>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const read = lineOf(line, number);
    clientId ??= read.clientId;
    if (read.clientId !== clientId) throw new BrokenChain(`Line ${number} is of another client.`);
    if (read.kind === 'CHECKPOINT') {
      requireSignature(read, trusted, number);
      publicKeys.add(read.publicKey);
      if (at !== undefined) requireFit(read, at, number);
      at = { position: read.position, hash: read.hash };
      signedTo = read.position;
    } else {
      at ??= read.position === 1 ? { position: 0, hash: BEGINNING } : undefined;
      if (at === undefined) {
        throw new BrokenChain(`It begins at position ${read.position}, without the checkpoint before it.`);
      }
      if (read.position !== at.position + 1) {
        throw new BrokenChain(`Line ${number} has position ${read.position}; ${at.position + 1} comes next.`);
      }
      if (read.hash !== hashOf(at.hash, read)) {
        throw new BrokenChain(`The entry of position ${read.position} is not what was written.`);
      }
      at = { position: read.position, hash: read.hash };
    }
    from ??= read.kind === 'ENTRY' ? read.position : undefined;
  }
  if (at === undefined || clientId === undefined) throw new BrokenChain('There is nothing in it.');
  if (signedTo !== at.position)
    throw new BrokenChain(`What comes after position ${signedTo ?? 0} is signed by nobody.`);
  return { clientId, from: from ?? at.position + 1, to: at.position, publicKeys: [...publicKeys] };
}

function requireFit(checkpoint: Checkpoint, before: { position: number; hash: string }, number: number): void {
  const { position, hash } = checkpoint;
  const what = `The checkpoint of line ${number} is of position ${position} and does not fit what is before it`;
  if (position > before.position) {
    throw new BrokenChain(`${what}: positions ${before.position + 1} to ${position} are missing.`);
  }
  if (position < before.position) {
    throw new BrokenChain(
      `${what}, which goes to ${before.position}: the database was put back to an earlier state, or they do not come in their order.`,
    );
  }
  if (hash !== before.hash) {
    throw new BrokenChain(`${what}: another entry was there when it was signed.`);
  }
}

function requireSignature(checkpoint: Checkpoint, trusted: readonly string[] | undefined, number: number): void {
  if (trusted !== undefined && !trusted.includes(checkpoint.publicKey)) {
    throw new BrokenChain(`The checkpoint of line ${number} is signed by another key: ${checkpoint.publicKey}.`);
  }
  if (!isSignedBy(signedText(checkpoint), checkpoint)) {
    throw new BrokenChain(`The checkpoint of line ${number} has a signature that is not genuine.`);
  }
}

const FIELDS = {
  ENTRY: { clientId: 'string', position: 'number', hash: 'string', entry: 'object' },
  CHECKPOINT: {
    clientId: 'string',
    position: 'number',
    hash: 'string',
    createdAt: 'string',
    publicKey: 'string',
    signature: 'string',
  },
} as const;

/** A line may contain only hashed or signed fields; otherwise a reader would take another field for verified. */
function lineOf(line: string, number: number): ChainedEntry | Checkpoint {
  const broken = new BrokenChain(`Line ${number} is no line of an export.`);
  let read: Record<string, unknown>;
  try {
    read = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw broken;
  }
  const fields = FIELDS[read?.['kind'] as keyof typeof FIELDS] as Readonly<Record<string, string>> | undefined;
  if (fields === undefined || Object.keys(read).length !== Object.keys(fields).length + 1) throw broken;
  for (const [name, type] of Object.entries(fields)) if (typeof read[name] !== type) throw broken;
  return read as ChainedEntry | Checkpoint;
}
