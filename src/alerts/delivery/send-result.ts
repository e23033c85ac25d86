/** The result of sending one message. */
export type SendResult = {
  readonly sent: boolean;
  /** The error text for people; also present if the server refused only some recipients. */
  readonly error?: string | undefined;
};

/** The most stored characters of an error. */
const ERROR_MAX = 300;

/** A code and the answer of the other side, as one line that PostgreSQL can store. */
export function errorText(code: string, answer: string): string {
  const text = answer.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return (text === '' ? code : `${code}: ${text}`).toWellFormed().slice(0, ERROR_MAX).toWellFormed();
}
