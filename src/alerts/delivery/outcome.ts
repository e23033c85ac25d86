/** How the sending of one message went. */
export type Outcome = {
  readonly sent: boolean;
  /** The error for people; also for a message that only some recipients were refused. */
  readonly error?: string | undefined;
};

/** Characters of an error that are kept. */
const ERROR_MAX = 300;

/** A code, and what the other side said to it, as one line that PostgreSQL can hold. */
export function errorText(code: string, answer: string): string {
  const said = answer.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return (said === '' ? code : `${code}: ${said}`).toWellFormed().slice(0, ERROR_MAX).toWellFormed();
}
