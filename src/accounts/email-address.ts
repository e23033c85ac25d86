import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** One `@` with something on both sides, and nothing that no address has: spaces of any kind, control characters. */
const ADDRESS = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u;

/** Whether a text may be stored as a new e-mail address. Whether anybody reads what is sent there, nobody can tell. */
export function isEmailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The message about an invalid e-mail address. */
export const EMAIL_FAULT = sentence`email must have one @ with something on both sides, and no spaces or control characters.`;

/**
 * Refuses a new e-mail address that can be none. Addresses that are stored already stay, whatever they are: they were taken
 * before there was this rule.
 * @param stored what the account has
 * @throws DomainError `BAD_REQUEST`
 */
export function requireEmailAddress(sent: string | undefined, stored?: string): void {
  if (sent !== undefined && sent !== stored && !isEmailAddress(sent)) throw badRequest(EMAIL_FAULT);
}
