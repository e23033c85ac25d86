import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** One `@` between two texts without spaces and control characters. */
const ADDRESS = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u;

/** Whether a text may be stored as a new e-mail address. The check does not show that the mailbox exists. */
export function isEmailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The message about an invalid e-mail address. */
export const EMAIL_FAULT = sentence`email must have one @ with something on both sides, and no spaces or control characters.`;

/**
 * Refuses an invalid new e-mail address. Stored addresses stay valid, because they may be older than this rule.
 * @param stored the present address of the account
 * @throws DomainError `BAD_REQUEST`
 */
export function requireEmailAddress(sent: string | undefined, stored?: string): void {
  if (sent !== undefined && sent !== stored && !isEmailAddress(sent)) throw badRequest(EMAIL_FAULT);
}
