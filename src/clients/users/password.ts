import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { DomainError } from '../../kernel/errors/domain-error.ts';

/** OWASP's parameters of argon2id: 19 MiB, two passes, one lane; some 35 ms of one processor. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Concurrent hashes. They use Node's few worker threads, which webhooks need for DNS look-ups. */
const atATime = pLimit(2);

/** The most waiting hashes, a second of work; more are refused. */
const QUEUE = 60;

/** Without 0, O, 1, l and I, which people misread. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 20 characters of 57 have 116 bits. */
const LENGTH = 20;

/** The argon2id hash of a password, with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Whether a password belongs to a hash. */
export function isPassword(password: string, hashed: string): Promise<boolean> {
  return inTurn(() => verify(hashed, password));
}

/** Takes as long as {@link isPassword} and returns false, so that an unknown e-mail is not answered faster than a known one. */
export async function checkDummyHash(password: string): Promise<false> {
  await isPassword(password, await dummyHash());
  return false;
}

/** A random password, in groups that people can copy by hand. */
export function newPassword(): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return characters.join('').replaceAll(/(.{5})(?!$)/g, '$1-');
}

let nobody: Promise<string> | undefined;

function dummyHash(): Promise<string> {
  nobody ??= hashPassword(newPassword());
  return nobody;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atATime.pendingCount < QUEUE) return atATime(work);
  throw new DomainError('BUSY', 'Too many people sign in at this moment. Repeat the call in a second.');
}
