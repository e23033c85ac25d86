import { badRequest } from './errors/domain-error.ts';
import { sentence } from './sentence.ts';

/**
 * The text, exactly as sent.
 * @param subject the begin of the message, for example `name`
 * @throws DomainError `BAD_REQUEST` for text that PostgreSQL cannot store: with a NUL, or with half of a surrogate pair. UTF-8 would turn
 * the latter into U+FFFD, so that two different ids would become one
 */
export function checkedText(text: string, subject: string): string {
  if (text.includes('\0')) throw badRequest(sentence`${subject} contains a NUL character. Send it without.`);
  if (!text.isWellFormed())
    throw badRequest(sentence`${subject} contains half of a surrogate pair. Send well-formed Unicode.`);
  return text;
}
