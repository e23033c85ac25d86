/** A credential of any kind, whole or cut short. */
const TOKEN = /lrl_[a-z]{3}_[0-9A-Za-z]{8,}|eyJ[\w-]{20,}/g;

/**
 * Runs at the end of every test with a whole service: the log must not contain a credential of the service.
 * @throws Error that shows the line, without the token
 */
export function assertNoToken(log: readonly string[]): void {
  const [line] = log.filter((each) => each.search(TOKEN) >= 0);
  if (line !== undefined) throw new Error(`A credential stands in the log: ${line.replaceAll(TOKEN, 'lrl_...')}`);
}

/**
 * The lines about unexpected failures. The service writes levels as words, the logger of tests as numbers. A line that is no JSON was
 * written outside the log, by a crash or a warning of Node.
 */
export function unforeseen(log: readonly string[]): string[] {
  return log.filter((line) => !line.startsWith('{') || /"level":(50|60|"error"|"fatal")[,}]/.test(line));
}
