/** A wrong command line or a missing address: nothing was done, and the message says what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
