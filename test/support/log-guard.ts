/** A credential of any kind, whole or cut short. */
const TOKEN = /lrl_[a-z]{3}_[0-9A-Za-z]{8,}/g;

/**
 * For the end of every test that has run a whole service: whatever it tried, nothing that opens the service may have come
 * into the log.
 * @throws Error that tells the line, not the token
 */
export function assertNoToken(log: readonly string[]): void {
  const [line] = log.filter((each) => each.search(TOKEN) >= 0);
  if (line !== undefined) throw new Error(`A credential stands in the log: ${line.replaceAll(TOKEN, 'lrl_...')}`);
}
