/**
 * The ladder of imports: what each folder of `src` may import directly. What those stand on comes with them, so
 * `rewards` may import `persistence` too. A file that lies in `src` itself wires the rooms together and may import all.
 * A new folder gets its line here first; the linter refuses it until then.
 */
export const ladder: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  engine: ['kernel'],
  persistence: ['engine'],
  // Below the clients, whose own operations are changes to record as well.
  audit: ['persistence', 'gen'],
  clients: ['audit'],
  // Below the rooms, because all of them tell it what happened.
  statistics: ['clients'],
  operations: ['statistics'],
  accounts: ['operations'],
  audiences: ['accounts'],
  loyalty: ['accounts'],
  redemptions: ['accounts'],
  webhooks: ['operations'],
  rewards: ['loyalty', 'redemptions', 'webhooks'],
  campaigns: ['audiences', 'rewards'],
  marketplace: ['campaigns'],
  triggers: ['marketplace'],
  imports: ['audiences', 'rewards'],
  housekeeping: ['triggers', 'imports'],
  server: ['triggers', 'imports'],
  gateway: ['server'],
  // What one command of the command line does; it opens and wires like the files of `src` itself.
  commands: ['gateway', 'main'],
  console: ['gen'],
  gen: [],
};

/** Why a file of `from` may not import a file of `to`, in words that say what to do instead; undefined when it may. */
export function refusal(from: string, to: string, file: string): string | undefined {
  if (from === to || from === MAIN) return undefined;
  if (!ladder[from]) return `src/${from} is not on the ladder of imports: give it a line in .ci/ladder.ts.`;
  if (!standsOn(from, to)) {
    return `src/${from} may not import ${to}, which does not stand below it (.ci/ladder.ts): let ${to} call ${from}, or take what is needed as an argument.`;
  }
  if (file.endsWith('.entity.ts')) {
    return `A room's tables are touched by that room only: call a function of ${to} instead of importing its entity.`;
  }
  return undefined;
}

/** The room of files that lie in `src` itself. */
export const MAIN = 'main';

function standsOn(upper: string, lower: string): boolean {
  return (ladder[upper] ?? []).some((step) => step === lower || standsOn(step, lower));
}
