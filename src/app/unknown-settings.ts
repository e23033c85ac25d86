/** The prefix of every setting, except for customary names such as PORT. */
const PREFIX = 'LAUREL_';

/**
 * Variables that Kubernetes sets in every container for each service whose name begins with "laurel", unless
 * `enableServiceLinks` is false: `LAUREL_SERVICE_HOST`, `LAUREL_PORT=tcp://10.0.0.7:8080`, `LAUREL_PORT_8080_TCP_ADDR`.
 */
const SERVICE_LINK = /^LAUREL_(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?)$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/** Variables of the programs in docs/clients.md and of commands that call a service, which a developer's shell may have. */
const OF_CLIENTS = new Set(['LAUREL_ADDRESS', 'LAUREL_KEY', 'LAUREL_PROFILE', 'LAUREL_URL', 'LAUREL_WEBHOOK_SECRET']);

/** The edits that count as a typing mistake; in a short name two changed letters make another word. */
const EDITS = { short: 1, long: 2 } as const;
const SHORT = 5;

/**
 * The variables of `env` that look like settings and are unknown, sorted. Empty variables count as not set. They may belong to another
 * release, so they do not stop the service; a variable that is similar to a setting is a mistake.
 * @param known the names of all settings, including former ones
 * @throws Error with a suggestion for each variable that is similar to a setting
 */
export function unknownSettings(env: NodeJS.ProcessEnv, known: ReadonlySet<string>): readonly string[] {
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && !OF_CLIENTS.has(name) && isMeant(name, env[name]))
    .toSorted();
  const mistakes = unknown.flatMap((name) => {
    const meant = nearest(name, known);
    return meant === undefined ? [] : [`${name} is no setting. Did you mean ${meant}?`];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return unknown;
}

function isMeant(name: string, value = ''): boolean {
  return value !== '' && !SERVICE_LINK.test(name) && !SERVICE_ADDRESS.test(value);
}

/** The setting that differs by few letters, otherwise a setting that continues the name with more words. */
function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  const bareName = bare(name);
  const bound = bareName.length <= SHORT ? EDITS.short : EDITS.long;
  const ranked = [...known]
    .map((setting) => ({ setting, edits: editsBetween(bareName, bare(setting)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  if (best !== undefined && best.edits <= bound) return best.setting;
  return ranked.find(({ setting }) => bare(setting).startsWith(`${bareName}_`))?.setting;
}

function bare(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

/** The number of letters to add, remove, replace or swap with their neighbour (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, isSwap ? before[j - 2]! + 1 : Infinity);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
