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

/**
 * The lines that tell of what nobody foresaw. The service writes levels as words, the logger that tests hand in as numbers;
 * what is no JSON was written past the log, by a crash or a warning of Node.
 */
export function unforeseen(log: readonly string[]): string[] {
  return log.filter((line) => !line.startsWith('{') || /"level":(50|60|"error"|"fatal")[,}]/.test(line));
}
